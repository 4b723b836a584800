#include "launch/pmi/pmi_request.hpp"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

namespace kumi::launch {
namespace {

TEST(PmiRequest, ReadsCommandAndFields) {
    const auto request = PmiRequest::parse("cmd=put kvsname=kvs key=-allgather-1-0 value=02[8]");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->command(), "put");
    EXPECT_EQ(request->find("kvsname"), "kvs");
    EXPECT_EQ(request->find("key"), "-allgather-1-0");
    EXPECT_EQ(request->find("value"), "02[8]");
    EXPECT_FALSE(request->find("rc"));
}

TEST(PmiRequest, KeepsEscapedSpacesInAValueAsTheyStand) {
    const auto request = PmiRequest::parse("cmd=put key=a value=one\\ two\\\\ x=1");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->find("value"), "one\\ two\\\\");
    EXPECT_EQ(request->find("x"), "1");
}

TEST(PmiRequest, AcceptsWordsWithoutValueAndEmptyValues) {
    const auto request = PmiRequest::parse("cmd=get  flag key= x=1");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->find("flag"), "");
    EXPECT_EQ(request->find("key"), "");
    EXPECT_EQ(request->find("x"), "1");
}

TEST(PmiRequest, RefusesWhatIsNotTheProtocol) {
    for (const char* line : {"", " ", "cmd", "cmd=", "cmd= x=1", "hello world", "key=1 cmd=get",
                             "cmd=get \"key\"=1", "cmd=get =1", "cmd=put key:1", "\x01\x02"}) {
        EXPECT_FALSE(PmiRequest::parse(line)) << line;
    }
}

TEST(PmiRequest, GivesAnAbortsTextWithItsSpaces) {
    const auto request = PmiRequest::parse("cmd=abort exitcode=7 message=it's \"over\": now");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->find("exitcode"), "7");
    EXPECT_EQ(request->rest_after("message"), "it's \"over\": now");
}

TEST(PmiRequest, FindsEveryFieldThatWasWritten) {
    EXPECT_TRUE(rc::check("fields come back as they were written", [] {
        const auto word = rc::gen::nonEmpty(rc::gen::string<std::string>());
        const auto fields =
            *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(rc::gen::pair(
                rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z'))),
                word));
        std::string line = "cmd=x";
        std::vector<std::pair<std::string, std::string>> escaped;
        for (const auto& [key, value] : fields) {
            std::string text;
            for (char c : value) {
                if (c == ' ' || c == '\\') text += '\\';
                text += c;
            }
            line += " " + key + "=" + text;
            escaped.emplace_back(key, text);
        }
        const auto request = PmiRequest::parse(line);
        RC_ASSERT(request.has_value());
        for (std::size_t i = 0; i < escaped.size(); ++i) {
            std::size_t first = 0;
            while (escaped[first].first != escaped[i].first) ++first;
            RC_ASSERT(request->find(escaped[i].first) == escaped[first].second);
        }
    }));
}

TEST(PmiRequest, SurvivesAnyBytes) {
    EXPECT_TRUE(rc::check("no input breaks the parser", [](const std::string& bytes) {
        const std::string line = "cmd=" + bytes;
        const auto request = PmiRequest::parse(line);
        if (request) request->find("key");
    }));
}

}  // namespace
}  // namespace kumi::launch

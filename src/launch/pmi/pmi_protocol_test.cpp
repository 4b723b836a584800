#include "launch/pmi/pmi_protocol.hpp"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <initializer_list>
#include <utility>

namespace kumi::launch {
namespace {

std::string take_answer(PmiProtocol& protocol, std::uint32_t rank) {
    return std::exchange(protocol.outgoing(rank), {});
}

std::string ask(PmiProtocol& protocol, std::uint32_t rank, const std::string& line) {
    protocol.receive(rank, line + "\n");
    return take_answer(protocol, rank);
}

/// What a rank asks, without "cmd=", and what it is answered, without that and the line's end.
struct Exchange {
    std::uint32_t rank;
    const char* question;
    const char* answer;
};

void expect_answers(PmiProtocol& protocol, std::initializer_list<Exchange> exchanges) {
    for (const auto& [rank, question, answer] : exchanges) {
        EXPECT_EQ(ask(protocol, rank, std::string("cmd=") + question),
                  std::string("cmd=") + answer + "\n");
    }
}

std::string family_key(std::uint32_t member) { return "-allgather-1-" + std::to_string(member); }

void put_family(PmiProtocol& protocol, std::uint32_t ranks) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        ask(protocol, rank,
            "cmd=put kvsname=k key=" + family_key(rank) + " value=v" + std::to_string(rank));
    }
}

TEST(PmiProtocol, AnswersWhatMpichAsksForAtItsStart) {
    PmiProtocol protocol(4, {.space_name = "7.1", .preset = {{"PMI_hwloc_xmlfile", "/x.xml"}}});
    EXPECT_EQ(protocol.phase(2), PmiPhase::kSilent);
    EXPECT_EQ(ask(protocol, 2, "cmd=init pmi_version=1 pmi_subversion=1"),
              "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
    EXPECT_EQ(protocol.phase(2), PmiPhase::kInitialised);
    expect_answers(
        protocol,
        {{2, "get_maxes", "maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024"},
         {2, "get_appnum", "appnum rc=0 appnum=0"},
         {2, "get_my_kvsname", "my_kvsname rc=0 kvsname=7.1"},
         {2, "get_universe_size", "universe_size rc=0 size=4"},
         {2, "get kvsname=7.1 key=PMI_hwloc_xmlfile", "get_result rc=0 msg=success value=/x.xml"},
         {2, "get kvsname=7.1 key=other", "get_result rc=-1 msg=key_not_found value=unknown"},
         {2, "finalize", "finalize_ack rc=0"}});
    EXPECT_EQ(protocol.phase(2), PmiPhase::kFinalised);
    EXPECT_TRUE(protocol.take_notices().empty());
}

TEST(PmiProtocol, GivesToOneRankWhatAnotherHasPut) {
    PmiProtocol protocol(2, {});
    expect_answers(protocol,
                   {{0, "put kvsname=k key=port value=a\\ b", "put_result rc=0 msg=success"},
                    {0, "put kvsname=k key=port value=c", "put_result rc=-1 msg=duplicate_key"},
                    {1, "get kvsname=k key=port", "get_result rc=0 msg=success value=a\\ b"}});
}

TEST(PmiProtocol, OpensABarrierWhenTheLastRankEnters) {
    PmiProtocol protocol(3, {});
    EXPECT_EQ(ask(protocol, 2, "cmd=barrier_in"), "");
    EXPECT_EQ(ask(protocol, 0, "cmd=barrier_in"), "");
    EXPECT_EQ(ask(protocol, 1, "cmd=barrier_in"), "cmd=barrier_out rc=0\n");
    EXPECT_EQ(take_answer(protocol, 0), "cmd=barrier_out rc=0\n");
    EXPECT_EQ(take_answer(protocol, 2), "cmd=barrier_out rc=0\n");
    EXPECT_EQ(ask(protocol, 1, "cmd=barrier_in"), "");
}

TEST(PmiProtocol, WritesACompleteFamilyAhead) {
    PmiProtocol protocol(3, {});
    put_family(protocol, 3);
    EXPECT_EQ(ask(protocol, 1, "cmd=get kvsname=k key=" + family_key(0)),
              "cmd=get_result rc=0 msg=success value=v0\n"
              "cmd=get_result rc=0 msg=success value=v1\n"
              "cmd=get_result rc=0 msg=success value=v2\n");
    EXPECT_EQ(ask(protocol, 1, "cmd=get kvsname=k key=" + family_key(1)), "");
    EXPECT_EQ(ask(protocol, 1, "cmd=get kvsname=k key=" + family_key(2)), "");
    EXPECT_EQ(ask(protocol, 1, "cmd=get kvsname=k key=" + family_key(2)),
              "cmd=get_result rc=0 msg=success value=v2\n");
    EXPECT_TRUE(protocol.take_notices().empty());
}

TEST(PmiProtocol, WritesNothingAheadOfAnIncompleteOrOtherFamily) {
    PmiProtocol protocol(3, {});
    put_family(protocol, 2);
    EXPECT_EQ(ask(protocol, 1, "cmd=get kvsname=k key=" + family_key(0)),
              "cmd=get_result rc=0 msg=success value=v0\n");
    for (const char* member : {"0", "1", "2"}) {
        ask(protocol, 0,
            "cmd=put kvsname=k key=-allgather-shm-1-" + std::string(member) + " value=x");
    }
    EXPECT_EQ(ask(protocol, 1, "cmd=get kvsname=k key=-allgather-shm-1-0"),
              "cmd=get_result rc=0 msg=success value=x\n");
}

TEST(PmiProtocol, ReportsARankThatLeavesItsFamily) {
    for (const std::string line : {"cmd=get key=-allgather-1-2", "cmd=get key=other",
                                   "cmd=get key=-allgather-1-1x", "cmd=barrier_in"}) {
        PmiProtocol protocol(3, {});
        put_family(protocol, 3);
        ask(protocol, 1, "cmd=get kvsname=k key=" + family_key(0));
        EXPECT_EQ(ask(protocol, 1, line), "");
        const auto notices = protocol.take_notices();
        ASSERT_EQ(notices.size(), 1U) << line;
        EXPECT_EQ(notices[0].kind, PmiNotice::Kind::kViolation);
        EXPECT_EQ(notices[0].rank, 1U);
    }
}

TEST(PmiProtocol, GivesTheSameAnswersAheadOrOneByOne) {
    EXPECT_TRUE(rc::check("answers do not depend on when they are written", [] {
        const auto ranks = *rc::gen::inRange<std::uint32_t>(1, 20);
        std::string answers[2];
        for (const bool ahead : {false, true}) {
            PmiProtocol protocol(ranks, {.preset = {}, .write_ahead = ahead});
            put_family(protocol, ranks);
            for (std::uint32_t member = 0; member < ranks; ++member) {
                answers[ahead] += ask(protocol, 0, "cmd=get kvsname=k key=" + family_key(member));
            }
            answers[ahead] += ask(protocol, 0, "cmd=get kvsname=k key=" + family_key(0));
            RC_ASSERT(protocol.take_notices().empty());
        }
        // The last question starts the family anew: one answer, or all of them.
        RC_ASSERT(answers[1].starts_with(answers[0]));
    }));
}

TEST(PmiProtocol, PassesOnAnAbort) {
    PmiProtocol protocol(2, {});
    EXPECT_EQ(ask(protocol, 1, "cmd=abort exitcode=42 message=no more (really)"), "");
    const auto notices = protocol.take_notices();
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_EQ(notices[0].kind, PmiNotice::Kind::kAbort);
    EXPECT_EQ(notices[0].rank, 1U);
    EXPECT_EQ(notices[0].code, 42);
    EXPECT_EQ(notices[0].text, "no more (really)");
}

TEST(PmiProtocol, FindsWhatAnotherRankHasPublished) {
    PmiProtocol protocol(2, {});
    expect_answers(
        protocol,
        {{1, "lookup_name service=s", "lookup_result rc=-1 msg=name_not_found"},
         {0, "publish_name service=s port=p\\ q", "publish_result rc=0 msg=success"},
         {1, "publish_name service=s port=other", "publish_result rc=-1 msg=duplicate_name"},
         {1, "lookup_name service=s", "lookup_result rc=0 msg=success port=p\\ q"},
         {1, "unpublish_name service=s", "unpublish_result rc=0 msg=success"},
         {0, "unpublish_name service=s", "unpublish_result rc=-1 msg=name_not_found"},
         {0, "lookup_name service=s", "lookup_result rc=-1 msg=name_not_found"}});
    EXPECT_TRUE(protocol.take_notices().empty());
    EXPECT_EQ(ask(protocol, 0, "cmd=change_name service=s"), "");
    EXPECT_EQ(protocol.take_notices().size(), 1U);
}

TEST(PmiProtocol, RefusesToSpawn) {
    PmiProtocol protocol(1, {});
    protocol.receive(0, "mcmd=spawn\nnprocs=2\nexecname=./a b\n");
    EXPECT_EQ(ask(protocol, 0, "endcmd"), "cmd=spawn_result rc=-1 msg=not_supported\n");
    EXPECT_EQ(ask(protocol, 0, "cmd=spawn"), "cmd=spawn_result rc=-1 msg=not_supported\n");
    EXPECT_TRUE(protocol.take_notices().empty());
}

TEST(PmiProtocol, ReportsGarbageOnceAndListensNoMore) {
    PmiProtocol protocol(2, {});
    protocol.receive(1,
                     "\x7f"
                     "ELF garbage\nmore garbage\ncmd=init\n");
    const auto notices = protocol.take_notices();
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_EQ(notices[0].text, "sent '?ELF garbage', which is not PMI-1");
    EXPECT_EQ(take_answer(protocol, 1), "");
    EXPECT_EQ(protocol.phase(1), PmiPhase::kSilent);
}

TEST(PmiProtocol, ReportsALineWithoutEnd) {
    PmiProtocol protocol(1, {});
    for (int i = 0; i < 100; ++i) protocol.receive(0, std::string(1024, 'x'));
    EXPECT_EQ(protocol.take_notices().size(), 1U);
}

TEST(PmiProtocol, DoesNotCareHowALineIsCutIntoPieces) {
    EXPECT_TRUE(rc::check("any cut gives the same answers", [] {
        const std::string bytes =
            "cmd=init pmi_version=1 pmi_subversion=1\ncmd=put kvsname=k key=a value=1\n"
            "cmd=get kvsname=k key=a\ncmd=get_universe_size\ncmd=finalize\n";
        PmiProtocol whole(1, {});
        whole.receive(0, bytes);
        PmiProtocol cut(1, {});
        std::string_view rest = bytes;
        while (!rest.empty()) {
            const auto length = *rc::gen::inRange<std::size_t>(1, rest.size() + 1);
            cut.receive(0, rest.substr(0, length));
            rest.remove_prefix(length);
        }
        RC_ASSERT(cut.outgoing(0) == whole.outgoing(0));
    }));
}

TEST(PmiProtocol, SurvivesAnyBytesFromAnyRank) {
    EXPECT_TRUE(rc::check("garbage becomes notices of its rank", [] {
        PmiProtocol protocol(3, {});
        const auto lines = *rc::gen::container<std::vector<std::string>>(rc::gen::oneOf(
            rc::gen::arbitrary<std::string>(),
            rc::gen::element<std::string>("cmd=init", "cmd=barrier_in\n",
                                          "cmd=get key=", "-allgather-1-0\n",
                                          "cmd=put key=-allgather-1-0 value=1\n", "mcmd=spawn\n",
                                          "endcmd\n", "cmd=finalize\n", "\n")));
        for (const std::string& line : lines) {
            protocol.receive(*rc::gen::inRange<std::uint32_t>(0, 3), line);
        }
        for (const PmiNotice& notice : protocol.take_notices()) RC_ASSERT(notice.rank < 3U);
    }));
}

}  // namespace
}  // namespace kumi::launch

#include "launch/pmi/pmi_server.hpp"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace kumi::launch {
namespace {

class PmiServerTest : public testing::Test {
   protected:
    void open(std::uint32_t ranks) {
        x_server = std::make_unique<PmiServer>(ranks, PmiProtocol::Options{}, x_epoll.get(), 0);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            x_clients.push_back(x_server->open(rank));
        }
    }

    void say(std::uint32_t rank, const std::string& text) {
        ASSERT_EQ(::write(x_clients[rank].get(), text.data(), text.size()),
                  static_cast<ssize_t>(text.size()));
    }

    /// Serves whatever is ready; returns how many sockets were.
    int serve() {
        epoll_event ready[16];
        const int count = ::epoll_wait(x_epoll.get(), ready, 16, 0);
        for (int i = 0; i < count; ++i)
            x_server->handle(static_cast<std::uint32_t>(ready[i].data.u64));
        return count;
    }

    std::string hear(std::uint32_t rank) {
        char buffer[4096];
        const ssize_t length = ::recv(x_clients[rank].get(), buffer, sizeof buffer, MSG_DONTWAIT);
        return length > 0 ? std::string(buffer, static_cast<std::size_t>(length)) : "";
    }

    UniqueFd x_epoll{::epoll_create1(EPOLL_CLOEXEC)};
    std::unique_ptr<PmiServer> x_server;
    std::vector<UniqueFd> x_clients;
};

TEST_F(PmiServerTest, AnswersEveryRankOfABarrier) {
    open(3);
    for (std::uint32_t rank : {1U, 0U, 2U}) say(rank, "cmd=barrier_in\n");
    EXPECT_EQ(serve(), 3);
    for (std::uint32_t rank : {0U, 1U, 2U}) EXPECT_EQ(hear(rank), "cmd=barrier_out rc=0\n");
}

TEST_F(PmiServerTest, KeepsWhatARankDoesNotReadAndSendsItLater) {
    open(1);
    const std::string value(1000, 'v');
    say(0, "cmd=put kvsname=k key=a value=" + value + "\n");
    serve();
    EXPECT_EQ(hear(0), "cmd=put_result rc=0 msg=success\n");
    constexpr std::size_t kGets = 3000;  // Far more than a socket's buffer takes.
    std::size_t answered_bytes = 0;
    std::string line = "cmd=get kvsname=k key=a\n";
    for (std::size_t i = 0; i < kGets; ++i) {
        say(0, line);
        serve();
    }
    for (std::string answer = hear(0); !answer.empty(); answer = hear(0)) {
        answered_bytes += answer.size();
        serve();
    }
    const std::string answer = "cmd=get_result rc=0 msg=success value=" + value + "\n";
    EXPECT_EQ(answered_bytes, kGets * answer.size());
    EXPECT_EQ(serve(), 0) << "still waiting to write";
}

TEST_F(PmiServerTest, ForgetsARankThatHangsUp) {
    open(2);
    say(0, "cmd=init pmi_version=1 pmi_subversion=1\n");
    x_clients[0].reset();
    EXPECT_EQ(serve(), 1);
    EXPECT_EQ(x_server->protocol().phase(0), PmiPhase::kInitialised);
    EXPECT_EQ(serve(), 0);
    say(1, "cmd=get_appnum\n");
    serve();
    EXPECT_EQ(hear(1), "cmd=appnum rc=0 appnum=0\n");
}

}  // namespace
}  // namespace kumi::launch

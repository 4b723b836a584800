#include "mpi/process/restartable_sequences.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <future>
#include <thread>

namespace kumi::mpi {
namespace {

struct rseq* area_of_this_thread() {
    return reinterpret_cast<struct rseq*>(static_cast<std::byte*>(__builtin_thread_pointer()) +
                                          __rseq_offset);
}

long register_again() {
    return ::syscall(SYS_rseq, area_of_this_thread(), sizeof(struct rseq), 0, RSEQ_SIG);
}

TEST(RestartableSequences, AreNotRegisteredAnyMore) {
    std::thread([] {
        ASSERT_GE(static_cast<int>(area_of_this_thread()->cpu_id), 0) << "the C library has none";
        forgo_restartable_sequences();
        EXPECT_EQ(static_cast<int>(area_of_this_thread()->cpu_id), RSEQ_CPU_ID_UNINITIALIZED);
        EXPECT_GE(::sched_getcpu(), 0) << "the C library asks the kernel instead";
        EXPECT_EQ(register_again(), 0) << "it was registered still";
    }).join();
}

TEST(RestartableSequences, OfOtherThreadsStay) {
    std::promise<void> gone;
    std::thread other([&gone] {
        gone.get_future().wait();
        EXPECT_EQ(register_again(), -1);
        EXPECT_EQ(errno, EBUSY);
    });
    forgo_restartable_sequences();
    gone.set_value();
    other.join();
    EXPECT_EQ(register_again(), 0);
}

TEST(RestartableSequences, OfThreadsThatBeginLaterAreNotRegistered) {
    forgo_restartable_sequences();
    std::thread([] {
        EXPECT_EQ(register_again(), 0);
        EXPECT_GE(::sched_getcpu(), 0);
    }).join();
    EXPECT_EQ(register_again(), 0);
}

}  // namespace
}  // namespace kumi::mpi

#include "mpi/process/processor_counter.hpp"

#include <signal.h>

#include "mpi/process/segmentation_faults.hpp"

#ifdef __x86_64__

#include <link.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/system_call.hpp"
#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/time_functions/skipped_sleeps.hpp"

namespace kumi::mpi {
namespace {

constinit std::atomic<bool> is_taken{false};
// The kernel's code in every process.
constinit std::uintptr_t kernel_page_begin = 0;
constinit std::uintptr_t kernel_page_end = 0;

bool set_counter(unsigned long mode) { return call_kernel(SYS_prctl, PR_SET_TSC, mode) == 0; }

void find_kernel_page() {
    kernel_page_begin = ::getauxval(AT_SYSINFO_EHDR);
    if (kernel_page_begin == 0) return;
    const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(kernel_page_begin);
    const auto* parts = reinterpret_cast<const ElfW(Phdr)*>(kernel_page_begin + header->e_phoff);
    kernel_page_end = kernel_page_begin;
    for (int i = 0; i < header->e_phnum; ++i)
        if (parts[i].p_type == PT_LOAD)
            kernel_page_end =
                std::max(kernel_page_end, kernel_page_begin + parts[i].p_vaddr + parts[i].p_memsz);
}

struct Reading {
    std::uint64_t ticks;
    std::uint32_t processor;  ///< What rdtscp says of that.
};

Reading read_processor() {
    const FreeCounter free;
    std::uint32_t low = 0, high = 0, processor = 0;
    asm volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
    return {std::uint64_t{high} << 32 | low, processor};
}

/// What threads see that do not spend the rank's time. Their own clocks stay where they are: what
/// passes in real time would reach the rank.
std::int64_t elapsed_beside_rank_ns() {
    static constinit thread_local std::int64_t first_real_ns
        __attribute__((tls_model("initial-exec"))) = 0;
    const std::int64_t now_ns = real_monotonic_ns();
    if (first_real_ns == 0) first_real_ns = now_ns;
    return virtual_ns(run_link::peek()) + (now_ns - first_real_ns);
}

Reading read_program_time() {
    const bool is_beside =
        in_virtual_time() &&
        detail::rank_thread.load(std::memory_order_relaxed) != &detail::call_depth;
    const std::int64_t elapsed =
        is_beside ? elapsed_beside_rank_ns() : elapsed_ns(ClockUse::kReading);
    // The number of the processor would differ between runs.
    return {static_cast<std::uint64_t>(kMonotonicAtStart_ns + elapsed), 0};
}

Reading read_for(std::uintptr_t instruction) {
    if (instruction >= kernel_page_begin && instruction < kernel_page_end) {
        if (spends_virtual_time()) run_link::note_real_clock(RealClock::kKernelPage);
        return read_processor();
    }
    const auto* code = reinterpret_cast<const void*>(instruction);
    // How often a library looks while its threads compute differs from run to run: that must cost
    // the rank nothing.
    if (!is_implementation_code(code) && !is_thread_runtime_code(code)) return read_program_time();
    Reading reading = read_processor();
    reading.ticks += skipped_ticks(code);
    return reading;
}

/// tpause and umwait wait for the counter to reach a value, and trap with it. They may return at
/// any time: at once. Returns their length, 0 if it is another instruction.
int length_of_wait(const unsigned char* code) {
    if (code[0] != 0x66 && code[0] != 0xF2) return 0;
    const int rex = (code[1] & 0xF0) == 0x40 ? 1 : 0;
    const unsigned char* rest = code + 1 + rex;
    return rest[0] == 0x0F && rest[1] == 0xAE && (rest[2] & 0xF8) == 0xF0 ? 4 + rex : 0;
}

}  // namespace

bool answer_counter_trap(const siginfo_t& info, void* context) {
    // A general protection fault, which comes without an address.
    if (info.si_code != SI_KERNEL || !has_counter()) return false;
    greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto instruction = static_cast<std::uintptr_t>(registers[REG_RIP]);
    // That the processor has just read.
    const auto* code = reinterpret_cast<const unsigned char*>(instruction);
    const bool is_rdtsc = code[0] == 0x0F && code[1] == 0x31;
    const bool is_rdtscp = code[0] == 0x0F && code[1] == 0x01 && code[2] == 0xF9;
    if (!is_rdtsc && !is_rdtscp) {
        const int length = length_of_wait(code);
        registers[REG_RIP] += length;
        return length > 0;
    }
    const int saved_errno = errno;
    const Reading reading = read_for(instruction);
    errno = saved_errno;
    registers[REG_RAX] = static_cast<greg_t>(reading.ticks & 0xFFFFFFFF);
    registers[REG_RDX] = static_cast<greg_t>(reading.ticks >> 32);
    if (is_rdtscp) registers[REG_RCX] = reading.processor;
    registers[REG_RIP] += is_rdtscp ? 3 : 2;
    return true;
}

void take_counter_over() {
    const char* wish = std::getenv("KUMI_TRAP_RDTSC");
    if (wish != nullptr && std::strcmp(wish, "off") == 0) return;
    find_kernel_page();
    if (!take_segmentation_faults_over()) return;
    // Before the first trap comes, which the C library's clocks may cause at once.
    is_taken.store(true);
    if (set_counter(PR_TSC_SIGSEGV))
        begin_to_skip_sleeps();
    else
        is_taken.store(false);
}

bool has_counter() { return is_taken.load(std::memory_order_relaxed); }

FreeCounter::FreeCounter() {
    if (has_counter()) set_counter(PR_TSC_ENABLE);
}
FreeCounter::~FreeCounter() {
    if (has_counter()) set_counter(PR_TSC_SIGSEGV);
}

}  // namespace kumi::mpi

#else

namespace kumi::mpi {

bool answer_counter_trap(const siginfo_t&, void*) { return false; }
void take_counter_over() {}
bool has_counter() { return false; }
FreeCounter::FreeCounter() = default;
FreeCounter::~FreeCounter() = default;

}  // namespace kumi::mpi

#endif

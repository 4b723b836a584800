#pragma once

#include <dlfcn.h>
#include <time.h>

#include <atomic>
#include <cstdint>

/// The C library's own functions, behind those that the shim puts before them.
namespace kumi::mpi {

/// A function of the C library, looked up at its first call. `version` is that of functions of
/// which the library has several; dlsym would then give an old one.
template <class Function>
class NextFunction {
   public:
    constexpr explicit NextFunction(const char* name, const char* version = nullptr)
        : x_name(name), x_version(version) {}

    /// The function has the type of `like`.
    constexpr NextFunction(Function& /*like*/, const char* name, const char* version = nullptr)
        : NextFunction(name, version) {}

    template <class... Arguments>
    auto operator()(Arguments... arguments) {
        return find()(arguments...);
    }

    /// Null if no library behind the shim has it.
    Function* find() {
        void* known = x_address.load(std::memory_order_relaxed);
        if (known == nullptr) {
            if (x_version != nullptr) known = dlvsym(RTLD_NEXT, x_name, x_version);
            if (known == nullptr) known = dlsym(RTLD_NEXT, x_name);
            x_address.store(known, std::memory_order_relaxed);
        }
        return reinterpret_cast<Function*>(known);
    }

   private:
    const char* x_name;
    const char* x_version;
    std::atomic<void*> x_address{nullptr};
};

/// The system's clock `id`. Works at any time, also before the C library can look functions up.
int real_clock_gettime(clockid_t id, timespec* time);
std::int64_t real_clock_ns(clockid_t id);
inline std::int64_t real_monotonic_ns() { return real_clock_ns(CLOCK_MONOTONIC); }

/// Sleeps in real time. Returns 0, or an error number with what was left in `remaining` if that is
/// not null.
int real_sleep(std::int64_t span_ns, timespec* remaining);

}  // namespace kumi::mpi

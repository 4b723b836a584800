// Every MPI function that may wait or communicate, C and Fortran. See mpi_functions.def.

#include "mpi/export.hpp"
#include "mpi/rank_process.hpp"
#include "mpi/real_function.hpp"
#include "mpi/refusal.hpp"

#define KUMI_WRAP(symbol, real_symbol, shown_name, call_class)                       \
    KUMI_EXPORT std::intptr_t symbol(KUMI_ARGUMENTS) {                               \
        static constinit kumi::mpi::RealFunction real{real_symbol};                  \
        static constexpr kumi::CallName kName{shown_name};                           \
        const kumi::mpi::CallScope scope(kumi::mpi::CallClass::k##call_class, kName, \
                                         __builtin_return_address(0));               \
        return real.as<kumi::mpi::Forwarded>()(KUMI_FORWARDED);                      \
    }

#define KUMI_REFUSE(symbol, real_symbol, shown_name)                \
    KUMI_EXPORT std::intptr_t symbol(KUMI_ARGUMENTS) {              \
        static constinit kumi::mpi::RealFunction real{real_symbol}; \
        kumi::mpi::refuse_in_run(shown_name);                       \
        return real.as<kumi::mpi::Forwarded>()(KUMI_FORWARDED);     \
    }

#define KUMI_CLASS_Local(symbol, real_symbol, shown_name)
#define KUMI_CLASS_Special(symbol, real_symbol, shown_name)
#define KUMI_CLASS_Blocking(symbol, real_symbol, shown_name) \
    KUMI_WRAP(symbol, real_symbol, shown_name, Blocking)
#define KUMI_CLASS_Probing(symbol, real_symbol, shown_name) \
    KUMI_WRAP(symbol, real_symbol, shown_name, Probing)
#define KUMI_CLASS_Polling(symbol, real_symbol, shown_name) \
    KUMI_WRAP(symbol, real_symbol, shown_name, Polling)
#define KUMI_CLASS_Window(symbol, real_symbol, shown_name) \
    KUMI_WRAP(symbol, real_symbol, shown_name, Window)
#define KUMI_CLASS_Refused(symbol, real_symbol, shown_name) \
    KUMI_REFUSE(symbol, real_symbol, shown_name)

#define KUMI_MPI_C(name, call_class) KUMI_CLASS_##call_class(name, "P" #name, #name)
#define KUMI_MPI_FORTRAN(name, call_class) \
    KUMI_CLASS_##call_class(mpi_##name##_, "pmpi_" #name "_", "mpi_" #name)
#define KUMI_MPI_F08(name, call_class) \
    KUMI_CLASS_##call_class(mpi_##name##_f08_, "pmpi_" #name "_f08_", "mpi_" #name)
#ifdef KUMI_FOR_OPEN_MPI
#define KUMI_MPI_C4(name, call_class)
#else
#define KUMI_MPI_C4(name, call_class) KUMI_MPI_C(name, call_class)
#endif

#include "mpi/mpi_functions.def"

#pragma once

#include <stdint.h>

/* MPI_COMM_WORLD. A program's own reference to Open MPI's makes the linker move the variable into
   the program, so that the shim must not take the library's. */
#if defined(FAKE_OPEN_MPI)
extern char ompi_mpi_comm_world[64];
#define WORLD ((uintptr_t)ompi_mpi_comm_world)
extern char ompi_mpi_comm_null[64];
#define NONE ((uintptr_t)ompi_mpi_comm_null)
#define HANDLE_BYTES 8
#elif defined(FAKE_STANDARD_ABI)
#define WORLD ((uintptr_t)0x101)
#define NONE ((uintptr_t)0x100)
#define HANDLE_BYTES 8
#else
#define WORLD ((uintptr_t)0x44000000)
#define NONE ((uintptr_t)0x04000000)
#define HANDLE_BYTES 4
#endif

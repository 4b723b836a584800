#pragma once

namespace kumi::mpi {

/// The last component of a path; the whole of it if there is no slash.
const char* file_name(const char* path);

/// Whether a library of this file name defines MPI functions (C or Fortran).
bool is_mpi_binding(const char* file_name);
/// Whether it is one of the MPI standard's common binary interface (MPI 5.0, chapter 20).
bool is_standard_abi(const char* file_name);
/// Whether it is part of an MPI implementation, of what an implementation brings with it, or of
/// Kumihimo: code that needs real time.
bool is_implementation(const char* file_name);
/// Whether it measures the frequency of the processor's counter when it is loaded: the libraries
/// for Intel's networks, on which Debian's libfabric depends.
bool times_counter(const char* file_name);
/// Whether it starts threads for a program and waits for them (OpenMP, oneTBB). How long such a
/// library spins before it sleeps goes by the processor's counter and shows in nothing else.
bool is_thread_runtime(const char* file_name);
/// Whether it is that of a Python interpreter, whose threads take turns by a lock.
bool is_interpreter(const char* file_name);

}  // namespace kumi::mpi

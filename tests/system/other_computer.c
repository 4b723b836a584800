/* A library that makes Open MPI believe that it is on another computer, as another process: the
   host is COMPUTER, and the run-time layer of mpirun is process PROCESS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int gethostname(char* into, size_t size) {
    strncpy(into, getenv("COMPUTER"), size);
    return 0;
}

pid_t getpid(void) {
    Dl_info found;
    if (dladdr(__builtin_return_address(0), &found) && strstr(found.dli_fname, "libopen-rte"))
        return atoi(getenv("PROCESS"));
    return (pid_t)syscall(SYS_getpid);
}

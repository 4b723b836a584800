/// How the other headers find the shim: nothing needs to be linked. Not for programs.
#ifndef KUMIHIMO_FIND_H
#define KUMIHIMO_FIND_H

#include <dlfcn.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds the function `name` of the shim that the run has loaded, if there is a run. `into` is the
/// address of a function pointer, of `size_bytes`; it becomes null if there is none.
static inline void kumi_find_(const char* name, void* into, size_t size_bytes) {
#ifdef RTLD_DEFAULT
    void* found = dlsym(RTLD_DEFAULT, name);
#else
    void* found = dlsym((void*)0, name);
#endif
    memcpy(into, &found, size_bytes);
}

#ifdef __cplusplus
}
#endif

#endif

/* Loads the probe, and with it the MPI library, as Python loads an extension module: RTLD_LOCAL. */

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* plugin = dlopen(PROBE_PLUGIN_PATH, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    int (*probe_main)(int, char**);
    *(void**)&probe_main = dlsym(plugin, "probe_main");
    return probe_main(argc, argv);
}

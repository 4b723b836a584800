/* A library that the user has loaded into ranks: says so, and may do what keeps a process from
   being copied. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void* wait_for_ever(void* nothing) {
    for (;;) pause();
    return nothing;
}

static int wants(const char* what) {
    const char* wish = getenv("PRELOADED");
    return wish != NULL && strcmp(wish, what) == 0;
}

__attribute__((constructor)) static void load(void) {
    static const char text[] = "loaded\n";
    pthread_t thread;
    /* The launcher loads it, too. */
    if (getenv("KUMI_SEGMENT") == NULL) return;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(9);
    if (wants("thread")) pthread_create(&thread, NULL, wait_for_ever, NULL);
    if (wants("shared memory"))
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (wants("exit") && getenv("KUMI_SEED_FD") != NULL) _exit(7);
}

/* What a rank finds when it starts: its own input, process, threads and environment. */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static pid_t constructed_in;
__attribute__((constructor)) static void note_process(void) { constructed_in = getpid(); }

/* Whether the C library knows the number of this thread, on which its locks and raise() depend. */
static int owns_its_locks(void) {
    pthread_mutexattr_t kind;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &kind);
    pthread_mutex_lock(&mutex);
    struct {
        int lock;
        unsigned count;
        int owner;
    } parts;
    memcpy(&parts, &mutex, sizeof parts);
    return parts.owner == gettid() && pthread_mutex_unlock(&mutex) == 0;
}

int main(int argc, char** argv) {
    CHECK(constructed_in == getpid());
    CHECK(getpid() == gettid());
    CHECK(owns_its_locks());
    CHECK(getenv("KUMI_SEED_FD") == NULL);
    begin(&argc, &argv);
    CHECK(argc == 2 && strcmp(argv[1], "argument") == 0);
    char line[32] = "";
    const char* read = fgets(line, sizeof line, stdin);
    CHECK(world_rank == 0 ? read != NULL && strcmp(line, "input\n") == 0 : read == NULL);
    return end("start");
}

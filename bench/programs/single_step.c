/* Lets a process execute one instruction after the other, and writes where each of them was: 64-bit
 * addresses, in order. Arguments: the process, how many instructions, and the file. The process is
 * killed then. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

static int failed(const char* what) {
    perror(what);
    return 1;
}

int main(int argc, char** argv) {
    if (argc != 4) {
        fprintf(stderr, "expected a process, a number of instructions and a file\n");
        return 1;
    }
    const pid_t process = (pid_t)atol(argv[1]);
    const long count = atol(argv[2]);
    FILE* file = fopen(argv[3], "wb");
    if (file == NULL) return failed(argv[3]);
    int status = 0;
    if (ptrace(PTRACE_SEIZE, process, NULL, NULL) != 0) return failed("PTRACE_SEIZE");
    if (ptrace(PTRACE_INTERRUPT, process, NULL, NULL) != 0) return failed("PTRACE_INTERRUPT");
    if (waitpid(process, &status, __WALL) < 0) return failed("waitpid");
    for (long i = 0; i < count; ++i) {
        const long place = (long)offsetof(struct user, regs.rip);
        const uint64_t address = (uint64_t)ptrace(PTRACE_PEEKUSER, process, (void*)place, NULL);
        if (fwrite(&address, sizeof address, 1, file) != 1) return failed(argv[3]);
        if (ptrace(PTRACE_SINGLESTEP, process, NULL, NULL) != 0) return failed("PTRACE_SINGLESTEP");
        if (waitpid(process, &status, __WALL) < 0) return failed("waitpid");
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            fprintf(stderr, "the process ended after %ld instructions\n", i + 1);
            return 1;
        }
    }
    kill(process, SIGKILL);
    return fclose(file) == 0 ? 0 : failed(argv[3]);
}

/* What would add processes to a run ends with an MPI error, which the program can handle.
   Argument: "return", or the name of a function to call with MPI_ERRORS_ARE_FATAL. */
#include "check.h"

static int handled = 0, handled_class = -1;

static void note_error(MPI_Comm* communicator, int* code, ...) {
    (void)communicator;
    ++handled;
    MPI_Error_class(*code, &handled_class);
}

static int class_of(int code) {
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static int spawn(MPI_Comm communicator, MPI_Comm* made, int* codes) {
    return MPI_Comm_spawn("true", MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, communicator, made, codes);
}

static int spawn_multiple(MPI_Comm communicator, MPI_Comm* made, int* codes) {
    char* commands[2] = {(char*)"true", (char*)"false"};
    const int processes[2] = {1, 2};
    const MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    return MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, processes, infos, 0, communicator,
                                   made, codes);
}

static void check_started(int code, const MPI_Comm* made, const int* codes) {
    CHECK(class_of(code) == MPI_ERR_SPAWN && *made == MPI_COMM_NULL);
    for (int i = 0; i < 3; ++i)
        CHECK(class_of(codes[i]) == (world_rank == 0 ? MPI_ERR_SPAWN : MPI_SUCCESS));
    CHECK(codes[3] == 0);
}

static void check_joined(int code, const MPI_Comm* made, int expected) {
    CHECK(class_of(code) == expected && *made == MPI_COMM_NULL);
}

/* There is no such port. */
static void check_port(const char* port, MPI_Comm communicator) {
    MPI_Comm made = communicator;
    check_joined(MPI_Comm_accept(port, MPI_INFO_NULL, 0, communicator, &made), &made, MPI_ERR_PORT);
    made = communicator;
    check_joined(MPI_Comm_connect(port, MPI_INFO_NULL, 0, communicator, &made), &made,
                 MPI_ERR_PORT);
}

static void check_all(MPI_Comm communicator) {
    int codes[4] = {0, 0, 0, 0}, more_codes[4] = {0, 0, 0, 0};
    MPI_Comm made = communicator;
    check_started(spawn(communicator, &made, codes), &made, codes);
    made = communicator;
    check_started(spawn_multiple(communicator, &made, more_codes), &made, more_codes);
    made = communicator;
    CHECK(class_of(spawn(communicator, &made, MPI_ERRCODES_IGNORE)) == MPI_ERR_SPAWN);
    check_port("port", communicator);
}

static void check_handled(void) {
    MPI_Errhandler handler;
    MPI_Comm communicator, made = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_create_errhandler(note_error, &handler);
    MPI_Comm_set_errhandler(communicator, handler);
    CHECK(class_of(spawn(communicator, &made, MPI_ERRCODES_IGNORE)) == MPI_ERR_SPAWN);
    CHECK(handled == 1 && handled_class == MPI_ERR_SPAWN);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&communicator);
}

static void call(const char* name) {
    MPI_Comm made = MPI_COMM_NULL;
    if (strcmp(name, "MPI_Comm_spawn") == 0) spawn(MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
    if (strcmp(name, "MPI_Comm_join") == 0) MPI_Comm_join(0, &made);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    if (argc < 2 || strcmp(argv[1], "return") != 0) {
        call(argc < 2 ? "MPI_Comm_spawn" : argv[1]);
        CHECK(!"an error ends the program");
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm made = MPI_COMM_WORLD;
    check_joined(MPI_Comm_join(0, &made), &made, MPI_ERR_UNSUPPORTED_OPERATION);
    check_all(MPI_COMM_WORLD);
    check_handled();
    return end("refused");
}

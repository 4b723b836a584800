/* What programs assert of communicators: each rank sends to the next one, on communicators with
   and without assertions, keeps some of them and breaks others. For two ranks or more. */

#include "check.h"

static int rank, size;

static MPI_Info info_of(const char* first, const char* second, const char* value) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, (char*)first, (char*)value);
    if (second != NULL) MPI_Info_set(info, (char*)second, (char*)value);
    return info;
}

/* One message of four bytes to the next rank, which has room for `room`. */
static void shift(MPI_Comm comm, int source, int tag, int room) {
    static char out[16], in[16];
    MPI_Request request;
    MPI_Status status;
    int count;
    MPI_Irecv(in, room, MPI_BYTE, source, tag, comm, &request);
    MPI_Send(out, 4, MPI_BYTE, (rank + 1) % size, 3, comm);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == 4);
}

static int errors;

static void count_error(MPI_Comm* comm, int* error, ...) {
    (void)comm;
    (void)error;
    ++errors;
}

/* Calls without an address fail, after which an error handler may go on. */
static void forget_addresses(MPI_Info info) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, NULL);
    CHECK(errors == 1);
#ifndef OPEN_MPI /* which ends by SIGSEGV */
    MPI_Comm_free(NULL);
    CHECK(errors == 2);
#endif
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}

int main(int argc, char** argv) {
    MPI_Comm no_wildcards, second, copy, exact, plain, overtaking;
    MPI_Info wildcards, length, none, overtakes;
    char in[8], out[8] = {0};
    int before, self;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    before = (rank + size - 1) % size;
    wildcards = info_of("mpi_assert_no_any_source", "mpi_assert_no_any_tag", "true");
    length = info_of("mpi_assert_exact_length", NULL, "true");
    none = info_of("mpi_assert_no_any_source", "mpi_assert_exact_length", "false");
    overtakes = info_of("mpi_assert_allow_overtaking", NULL, "true");

    /* Two assertions: kept once, and each is broken on the second communicator. */
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, wildcards, &no_wildcards);
    shift(no_wildcards, before, 3, 4);
    MPI_Comm_dup_with_info(no_wildcards, wildcards, &second);
    shift(second, MPI_ANY_SOURCE, 3, 4);
    shift(second, before, MPI_ANY_TAG, 4);
    /* A process that is none breaks nothing, and is no message. */
    MPI_Sendrecv(out, 8, MPI_BYTE, MPI_PROC_NULL, 0, in, 8, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG,
                 second, MPI_STATUS_IGNORE);
    /* Since MPI 4.0 a duplicate has no hints of the original. */
    MPI_Comm_dup(no_wildcards, &copy);
    shift(copy, MPI_ANY_SOURCE, MPI_ANY_TAG, 4);

    /* Set later, kept once and broken once, and taken back. */
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &exact);
    MPI_Comm_set_info(exact, length);
    shift(exact, before, 3, 4);
    shift(exact, before, 3, 16);
    MPI_Comm_set_info(exact, none);
    shift(exact, before, 3, 16);

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, overtakes, &overtaking);
    MPI_Comm_rank(overtaking, &self);
    MPI_Sendrecv(out, 8, MPI_BYTE, self, 0, in, 8, MPI_BYTE, self, 0, overtaking,
                 MPI_STATUS_IGNORE);

    forget_addresses(wildcards);
    /* What is freed and made again asserts nothing. */
    MPI_Comm_free(&no_wildcards);
    MPI_Comm_free(&second);
    MPI_Comm_free(&copy);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &plain);
    shift(plain, MPI_ANY_SOURCE, MPI_ANY_TAG, 16);
    shift(MPI_COMM_WORLD, MPI_ANY_SOURCE, MPI_ANY_TAG, 16);

    MPI_Comm_free(&plain);
    MPI_Comm_free(&exact);
    MPI_Comm_free(&overtaking);
    MPI_Info_free(&wildcards);
    MPI_Info_free(&length);
    MPI_Info_free(&none);
    MPI_Info_free(&overtakes);
    if (rank == 0) printf("assertions: passed\n");
    MPI_Finalize();
    return 0;
}

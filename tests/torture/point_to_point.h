/* Messages whose source is named, in all modes and with all ways to wait for them. */
#ifndef KUMIHIMO_TESTS_TORTURE_POINT_TO_POINT_H
#define KUMIHIMO_TESTS_TORTURE_POINT_TO_POINT_H

#include "torture.h"

/* Waits for requests in a way that all ranks share, and sees in which order they end. */
static void wait_for(int count, MPI_Request* requests, uint32_t way) {
    int indices[2 * kMostRanks], done = 0, all_done = 0, some = 0;
    switch (way) {
        case 0:
            MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
            break;
        case 1:
            for (int i = count - 1; i >= 0; --i) {
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
                do_something();
            }
            break;
        case 2:
            for (; done < count; ++done) {
                MPI_Waitany(count, requests, indices, MPI_STATUS_IGNORE);
                see((uint64_t)indices[0]);
                do_something();
            }
            break;
        case 3:
            while (done < count) {
                MPI_Waitsome(count, requests, &some, indices, MPI_STATUSES_IGNORE);
                see((uint64_t)some);
                for (int i = 0; i < some; ++i) see((uint64_t)indices[i]);
                done += some;
                do_something();
            }
            break;
        case 4:
            while (done < count) {
                MPI_Testsome(count, requests, &some, indices, MPI_STATUSES_IGNORE);
                for (int i = 0; i < some; ++i) see((uint64_t)indices[i]);
                done += some;
            }
            break;
        case 5:
            while (done < count) {
                int flag = 0;
                MPI_Testany(count, requests, indices, &flag, MPI_STATUS_IGNORE);
                if (!flag) continue;
                see((uint64_t)indices[0]);
                ++done;
            }
            break;
        case 6:
            for (int i = 0; i < count; ++i) {
                for (done = 0; !done;) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
            }
            break;
        case 7:
            for (int i = 0; i < count; ++i) {
                MPI_Request_get_status(requests[i], &done, MPI_STATUS_IGNORE);
                see((uint64_t)done);
            }
            MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
            break;
        default:
            while (!all_done) MPI_Testall(count, requests, &all_done, MPI_STATUSES_IGNORE);
    }
    see_clock();
}
enum { kWaysToWait = 9 };

static void exchange(int round) {
    const int distance = 1 + (int)shared((uint32_t)size);
    const int to = rank_at(distance), from = rank_at(-distance);
    const int bytes = shared(6) == 0 ? kMostBytes : draw_bytes();
    MPI_Status status;
    pattern_fill(out[0], (size_t)bytes, name_of(round, rank, 0));
    if (shared(3) == 0) {
        memcpy(in[0], out[0], (size_t)bytes);
        MPI_Sendrecv_replace(in[0], bytes, MPI_BYTE, to, tag_of(round, 0), from, tag_of(round, 0),
                             comm, &status);
    } else {
        MPI_Sendrecv(out[0], bytes, MPI_BYTE, to, tag_of(round, 0), in[0], kMostBytes, MPI_BYTE,
                     from, tag_of(round, 0), comm, &status);
    }
    see_status(&status);
    check_in(0, bytes, round, from, 0);
}

/* A token goes a part of the way round. */
static void token(int round) {
    const int first = (int)shared((uint32_t)size), bytes = draw_bytes();
    const int hops = 1 + (int)shared((uint32_t)size - 1);
    const int is_synchronous = shared(3) == 0;
    const int place = (rank + size - first) % size;
    pattern_fill(out[0], (size_t)bytes, name_of(round, rank, 0));
    if (place > 0 && place <= hops) {
        const int from = rank_at(-1);
        MPI_Recv(in[0], bytes, MPI_BYTE, from, tag_of(round, 0), comm, MPI_STATUS_IGNORE);
        check_in(0, bytes, round, from, 0);
        do_something();
    }
    if (place < hops) {
        (is_synchronous ? MPI_Ssend : MPI_Send)(out[0], bytes, MPI_BYTE, rank_at(1),
                                                tag_of(round, 0), comm);
    }
}

typedef int (*SendCall)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static SendCall drawn_send(int is_persistent, int may_be_synchronous) {
    if (may_be_synchronous && chance(4)) return is_persistent ? MPI_Ssend_init : MPI_Issend;
    if (chance(6)) return is_persistent ? MPI_Bsend_init : MPI_Ibsend;
    return is_persistent ? MPI_Send_init : MPI_Isend;
}

/* Each rank sends to those 1, 2, .. behind it. */
static void halo(int round) {
    MPI_Request requests[2 * kMostNeighbours];
    const int neighbours = 1 + (int)shared(kMostNeighbours), bytes = draw_bytes();
    const uint32_t way = shared(kWaysToWait);
    const int may_be_synchronous = shared(2) == 0, is_persistent = shared(3) == 0;
    const int repeats = is_persistent ? 1 + (int)shared(3) : 1;
    for (int i = 0; i < neighbours; ++i) {
        (is_persistent ? MPI_Recv_init : MPI_Irecv)(in[i], bytes, MPI_BYTE, rank_at(-(i + 1)),
                                                    tag_of(round, i), comm, &requests[i]);
    }
    do_something();
    for (int i = 0; i < neighbours; ++i) {
        pattern_fill(out[i], (size_t)bytes, name_of(round, rank, i));
        drawn_send(is_persistent, may_be_synchronous)(out[i], bytes, MPI_BYTE, rank_at(i + 1),
                                                      tag_of(round, i), comm,
                                                      &requests[neighbours + i]);
    }
    for (int repeat = 0; repeat < repeats; ++repeat) {
        if (is_persistent && chance(2)) {
            MPI_Startall(2 * neighbours, requests);
        } else if (is_persistent) {
            for (int i = 0; i < neighbours; ++i) MPI_Start(&requests[i]);
            do_something();
            MPI_Startall(neighbours, requests + neighbours);
        }
        do_something();
        /* Those that find none that is active would never end. */
        wait_for(2 * neighbours, requests, way);
        for (int i = 0; i < neighbours; ++i) check_in(i, bytes, round, rank_at(-(i + 1)), i);
    }
    for (int i = 0; is_persistent && i < 2 * neighbours; ++i) MPI_Request_free(&requests[i]);
}

/* A send that may go only when its receive is posted. */
static void ready_send(int round) {
    const int bytes = draw_bytes(), to = rank_at(1), from = rank_at(-1);
    MPI_Request request;
    MPI_Irecv(in[0], bytes, MPI_BYTE, from, tag_of(round, 0), comm, &request);
    MPI_Sendrecv(NULL, 0, MPI_BYTE, from, tag_of(round, 1), NULL, 0, MPI_BYTE, to, tag_of(round, 1),
                 comm, MPI_STATUS_IGNORE);
    pattern_fill(out[0], (size_t)bytes, name_of(round, rank, 0));
    MPI_Rsend(out[0], bytes, MPI_BYTE, to, tag_of(round, 0), comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_in(0, bytes, round, from, 0);
}

/* Every second number of an array, so that payloads are packed and unpacked. */
static void strided(int round) {
    const int numbers = 1 + (int)shared(3000), to = rank_at(1), from = rank_at(-1);
    double* mine = allocate((size_t)numbers * 2 * sizeof *mine);
    double* theirs = allocate((size_t)numbers * 2 * sizeof *theirs);
    MPI_Datatype type;
    MPI_Request requests[2];
    for (int i = 0; i < 2 * numbers; ++i) {
        mine[i] = round + 0.5 * rank + i;
        theirs[i] = -1;
    }
    MPI_Type_vector(numbers, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(theirs, 1, type, from, tag_of(round, 0), comm, &requests[0]);
    MPI_Isend(mine, 1, type, to, tag_of(round, 0), comm, &requests[1]);
    MPI_Type_free(&type);
    wait_for(2, requests, shared(kWaysToWait));
    for (int i = 0; i < numbers; ++i) {
        check_number(theirs[2 * i], round + 0.5 * from + 2 * i);
        CHECK(theirs[2 * i + 1] == -1);
    }
    free(mine);
    free(theirs);
}

/* More than any buffer takes, some of it in both directions at once. */
static void large(int round) {
    const int bytes = 1 << (17 + (int)shared(3)), distance = 1 + (int)shared((uint32_t)size);
    const int both = shared(2) == 0, to = rank_at(distance), from = rank_at(-distance);
    unsigned char* mine = allocate((size_t)bytes);
    unsigned char* theirs = allocate((size_t)bytes);
    MPI_Request requests[4];
    int count = 0;
    pattern_fill(mine, (size_t)bytes, name_of(round, rank, 0));
    if (chance(2)) do_something();
    MPI_Irecv(theirs, bytes, MPI_BYTE, from, tag_of(round, 0), comm, &requests[count++]);
    if (both) {
        pattern_fill(out[0], 100, name_of(round, rank, 1));
        MPI_Irecv(in[0], 100, MPI_BYTE, to, tag_of(round, 1), comm, &requests[count++]);
        MPI_Isend(out[0], 100, MPI_BYTE, from, tag_of(round, 1), comm, &requests[count++]);
    }
    MPI_Isend(mine, bytes, MPI_BYTE, to, tag_of(round, 0), comm, &requests[count++]);
    wait_for(count, requests, shared(kWaysToWait));
    CHECK(pattern_matches(theirs, (size_t)bytes, name_of(round, from, 0)));
    if (both) check_in(0, 100, round, to, 1);
    free(mine);
    free(theirs);
}

#if MPI_VERSION >= 4
/* A message whose parts are ready one after the other. */
static void partitioned(int round) {
    enum { kParts = 4 };
    const int bytes = 1 + (int)shared(5000), to = rank_at(1), from = rank_at(-1);
    MPI_Request requests[2];
    MPI_Psend_init(out[0], kParts, bytes, MPI_BYTE, to, tag_of(round, 0), comm, MPI_INFO_NULL,
                   &requests[0]);
    MPI_Precv_init(in[0], kParts, bytes, MPI_BYTE, from, tag_of(round, 0), comm, MPI_INFO_NULL,
                   &requests[1]);
    pattern_fill(out[0], (size_t)(kParts * bytes), name_of(round, rank, 0));
    MPI_Startall(2, requests);
    for (int i = 0; i < kParts; ++i) {
        MPI_Pready(i, requests[0]);
        do_something();
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check_in(0, kParts * bytes, round, from, 0);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}
#endif

#endif

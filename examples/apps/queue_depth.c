/* The time of finding one message behind others in a queue, on two ranks; after the benchmarks of
 * Underwood and Brightwell [Underwood04].
 *
 *     queue_depth unexpected DEPTH        Rank 1 posts the receive of a message that has arrived
 *                                         behind DEPTH others. The time is that of the receive.
 *     queue_depth posted LENGTH [BEFORE]  Rank 1 posts a receive among LENGTH others, BEFORE of
 * which (all unless given) are in front. The time is from rank 0's send of its message to the
 * answer.
 */
#include "program.h"

enum { TAG_OTHER = 1, TAG_TIMED, TAG_READY, TAG_ANSWER };
#define SIZE 16
#define MOST 100000

typedef struct {
    char bytes[SIZE];
} Message;

static Message message_of(int number) {
    Message message;
    memset(message.bytes, number % 127, SIZE);
    return message;
}

static int is_message(const Message* message, int number) {
    const Message expected = message_of(number);
    return memcmp(message, &expected, SIZE) == 0;
}

static void send(int number, int tag, int target) {
    const Message message = message_of(number);
    MPI_Send(&message, SIZE, MPI_CHAR, target, tag, MPI_COMM_WORLD);
}

/* Returns whether the message is the one of that number. */
static int receive(int number, int tag, int source) {
    Message message;
    MPI_Recv(&message, SIZE, MPI_CHAR, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return is_message(&message, number);
}

/* Returns the seconds that rank 1's receive takes, 0 on rank 0; counts wrong messages. */
static double unexpected(int rank, int depth, int* wrong) {
    if (rank == 0) {
        Message* messages = allocate(sizeof(Message) * (size_t)(depth + 1));
        MPI_Request* requests = allocate(sizeof(MPI_Request) * (size_t)(depth + 1));
        for (int i = 0; i <= depth; ++i) {
            const int tag = i == depth ? TAG_TIMED : TAG_OTHER;
            messages[i] = message_of(i);
            MPI_Isend(&messages[i], SIZE, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &requests[i]);
        }
        send(0, TAG_READY, 1);
        MPI_Waitall(depth + 1, requests, MPI_STATUSES_IGNORE);
        free(requests);
        free(messages);
        return 0;
    }
    *wrong += !receive(0, TAG_READY, 0);
    const double start = MPI_Wtime();
    *wrong += !receive(depth, TAG_TIMED, 0);
    const double passed = MPI_Wtime() - start;
    for (int i = 0; i < depth; ++i) *wrong += !receive(i, TAG_OTHER, 0);
    return passed;
}

/* Returns the seconds from rank 0's send to the answer, 0 on rank 1; counts wrong messages. */
static double posted(int rank, int length, int before, int* wrong) {
    double passed = 0;
    int is_there = 0;
    if (rank == 0) {
        *wrong += !receive(0, TAG_READY, 1);
        const double start = MPI_Wtime();
        send(length, TAG_TIMED, 1);
        *wrong += !receive(length, TAG_ANSWER, 1);
        passed = MPI_Wtime() - start;
        for (int i = 0; i < length; ++i) send(i, TAG_OTHER, 1);
        return passed;
    }
    Message* messages = allocate(sizeof(Message) * (size_t)(length + 1));
    MPI_Request* requests = allocate(sizeof(MPI_Request) * (size_t)(length + 1));
    for (int i = 0; i <= length; ++i) {
        const int tag = i == before ? TAG_TIMED : TAG_OTHER;
        MPI_Irecv(&messages[i], SIZE, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &requests[i]);
    }
    /* An interface that matches answers when it has put all receives into its queue. */
    MPI_Iprobe(0, TAG_READY, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    *wrong += is_there;
    send(0, TAG_READY, 0);
    MPI_Wait(&requests[before], MPI_STATUS_IGNORE);
    send(length, TAG_ANSWER, 0);
    MPI_Waitall(length + 1, requests, MPI_STATUSES_IGNORE);
    *wrong += !is_message(&messages[before], length);
    for (int i = 0; i < length; ++i) *wrong += !is_message(&messages[i < before ? i : i + 1], i);
    free(requests);
    free(messages);
    return passed;
}

int main(int argc, char** argv) {
    int rank = 0;
    int ranks = 0;
    int wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int is_unexpected = argc > 1 && strcmp(argv[1], "unexpected") == 0;
    const int is_posted = argc > 1 && strcmp(argv[1], "posted") == 0;
    require(ranks == 2, "queue_depth: needs 2 ranks");
    require(is_unexpected || is_posted,
            "usage: queue_depth unexpected DEPTH, or queue_depth posted LENGTH [BEFORE]");
    const long depth = argument(argc, argv, 2, 100);
    const long before = argument(argc, argv, 3, depth);
    require(depth >= 0 && depth <= MOST && before >= 0 && before <= depth,
            "queue_depth: expected a depth from 0 to 100000, and not more before the message");

    const double passed = is_unexpected ? unexpected(rank, (int)depth, &wrong)
                                        : posted(rank, (int)depth, (int)before, &wrong);
    double slowest = 0;
    int all_wrong = 0;
    MPI_Reduce(&passed, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("queue_depth: %.3f ns, %s\n", slowest * 1e9, all_wrong == 0 ? "VERIFIED" : "WRONG");
    MPI_Finalize();
    return all_wrong == 0 ? 0 : 1;
}

/* Derived datatypes on the sending side, the receiving side, both, and packed by hand. */
#include <stddef.h>

#include "check.h"

#define SIDE 40

typedef struct {
    char letter;
    double value;
    int numbers[3];
} Record;

static void columns(int partner) {
    double matrix[SIDE][SIDE], column[SIDE];
    MPI_Datatype type;
    MPI_Type_vector(SIDE, 1, SIDE, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < SIDE * SIDE; ++i) matrix[i / SIDE][i % SIDE] = i + 0.5;
    MPI_Sendrecv(&matrix[0][3], 1, type, partner, 1, column, SIDE, MPI_DOUBLE, partner, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < SIDE; ++i) CHECK(column[i] == i * SIDE + 3 + 0.5);
    MPI_Sendrecv(column, SIDE, MPI_DOUBLE, partner, 2, &matrix[0][7], 1, type, partner, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < SIDE; ++i) CHECK(matrix[i][7] == i * SIDE + 3 + 0.5);
    MPI_Type_free(&type);
}

static void records(int partner) {
    MPI_Datatype plain, type;
    int lengths[] = {1, 1, 3};
    MPI_Aint places[] = {offsetof(Record, letter), offsetof(Record, value),
                         offsetof(Record, numbers)};
    MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(3, lengths, places, parts, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(Record), &type);
    MPI_Type_commit(&type);
    Record out[10], in[10];
    for (int i = 0; i < 10; ++i) out[i] = (Record){(char)('a' + i), i * 1.5, {i, i + 1, i + 2}};
    MPI_Sendrecv(out, 10, type, partner, 3, in, 10, type, partner, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 10; ++i) {
        CHECK(in[i].letter == 'a' + i && in[i].value == i * 1.5 && in[i].numbers[2] == i + 2);
    }
    MPI_Type_free(&type);
    MPI_Type_free(&plain);
}

static void blocks(int partner) {
    int sizes[] = {SIDE, SIDE}, part[] = {10, 20}, start[] = {5, 6};
    MPI_Datatype block, sparse;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &block);
    MPI_Type_commit(&block);
    int grid[SIDE][SIDE], copy[SIDE][SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) grid[i / SIDE][i % SIDE] = i;
    memset(copy, 0xff, sizeof copy);
    MPI_Sendrecv(grid, 1, block, partner, 4, copy, 1, block, partner, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int row = i / SIDE, column = i % SIDE;
        const int inside = row >= 5 && row < 15 && column >= 6 && column < 26;
        CHECK(copy[row][column] == (inside ? i : -1));
    }
    MPI_Type_free(&block);

    int lengths[] = {1, 4, 2}, offsets[] = {0, 10, 30}, packed[7];
    MPI_Type_indexed(3, lengths, offsets, MPI_INT, &sparse);
    MPI_Type_commit(&sparse);
    MPI_Status status;
    int elements = -1;
    MPI_Sendrecv(grid, 1, sparse, partner, 5, packed, 7, MPI_INT, partner, 5, MPI_COMM_WORLD,
                 &status);
    MPI_Get_elements(&status, sparse, &elements);
    CHECK(elements == 7 && packed[0] == 0 && packed[1] == 10 && packed[6] == 31);
    MPI_Type_free(&sparse);
}

static void by_hand(int partner) {
    char out[256], in[256];
    int position = 0, number = 17;
    double value = 2.25;
    MPI_Pack(&number, 1, MPI_INT, out, sizeof out, &position, MPI_COMM_WORLD);
    MPI_Pack(&value, 1, MPI_DOUBLE, out, sizeof out, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(out, position, MPI_PACKED, partner, 6, in, sizeof in, MPI_PACKED, partner, 6,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    position = 0;
    number = 0;
    value = 0;
    MPI_Unpack(in, sizeof in, &position, &number, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(in, sizeof in, &position, &value, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    CHECK(number == 17 && value == 2.25);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size % 2 == 0);
    const int partner = world_rank ^ 1;
    columns(partner);
    records(partner);
    blocks(partner);
    by_hand(partner);
    return end("derived_types");
}

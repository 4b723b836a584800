// Searches a queue of MPI's envelopes in block RAM, WIDTH entries a cycle, for the oldest that
// matches. Entries lie in a ring of rows in order of arrival; one that is taken out leaves a gap.
//
// A command is taken when `valid` and `ready`, and is answered by one cycle of `done`:
//   INSERT  adds the youngest entry; `found` says whether there was room
//   TAKE    finds the oldest entry that matches, and takes it out
//   PROBE   the same, but it stays
//   CANCEL  takes out the entry with this pointer
// Rows at the front that are empty are given back by the next search that passes them. A ring that
// has no row left refuses INSERT, though it may have gaps.
module row_searcher #(
    parameter ENTRIES = 256,        // with WIDTH powers of two
    parameter WIDTH = 8,
    parameter STORES_WILDCARDS = 0, // entries are receives; else messages
    parameter ROWS = ENTRIES / WIDTH,
    parameter ROW_BITS = $clog2(ROWS),
    parameter LANE_BITS = $clog2(WIDTH)
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    output wire        ready,
    input  wire [1:0]  command,
    input  wire [41:0] key,         // context, source and tag: 10, 16 and 16 bits
    input  wire [1:0]  wildcards,   // any source, any tag
    input  wire [15:0] pointer,
    output reg         done,
    output reg         found,
    output reg  [15:0] found_pointer
);
    localparam INSERT = 2'd0, PROBE = 2'd2, CANCEL = 2'd3;  // 1 is TAKE
    localparam ENTRY_BITS = 61;     // is there, wildcards, pointer, key
    localparam CLEAR = 2'd0, IDLE = 2'd1, SCAN = 2'd2, REMOVE = 2'd3;

    reg [1:0]  state;
    reg [1:0]  command_q;
    reg [41:0] key_q;
    reg [1:0]  wildcards_q;
    reg [15:0] pointer_q;

    // With a bit more than a row's number, so that a full ring is not an empty one.
    reg [ROW_BITS:0]    front;
    reg [ROW_BITS:0]    back;
    reg [LANE_BITS-1:0] back_lane;

    reg [ROW_BITS:0]    row;        // that is compared
    reg                 is_leading; // all rows before it are empty
    reg [LANE_BITS-1:0] lane;       // that is taken out

    wire is_full = back_lane == 0 && back[ROW_BITS] != front[ROW_BITS] &&
                   back[ROW_BITS-1:0] == front[ROW_BITS-1:0];
    wire is_empty = back_lane == 0 && back == front;
    wire [ROW_BITS:0] last = back_lane == 0 ? back - 1'b1 : back;

    assign ready = state == IDLE;
    wire takes = valid && ready;
    wire inserts = takes && command == INSERT && !is_full;

    wire [ROW_BITS:0]   next = row + 1'b1;
    wire [ROW_BITS-1:0] read_row = state == IDLE ? front[ROW_BITS-1:0] : next[ROW_BITS-1:0];
    wire [ROW_BITS-1:0] write_row = state == IDLE ? back[ROW_BITS-1:0] : row[ROW_BITS-1:0];
    wire [LANE_BITS-1:0] write_lane = state == IDLE ? back_lane : lane;
    wire [ENTRY_BITS-1:0] written = state == IDLE ? {1'b1, wildcards, pointer, key}
                                                  : {ENTRY_BITS{1'b0}};
    wire writes = inserts || state == REMOVE;

    wire [WIDTH-1:0] is_there;
    wire [WIDTH-1:0] hits;
    wire [16*WIDTH-1:0] pointers;

    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin : lanes
            reg [ENTRY_BITS-1:0] memory [0:ROWS-1];
            reg [ENTRY_BITS-1:0] entry;
            always @(posedge clk) begin
                if (state == CLEAR || (writes && write_lane == i))
                    memory[write_row] <= written;
                entry <= memory[read_row];
            end
            wire [1:0] wild = wildcards_q | (STORES_WILDCARDS != 0 ? entry[59:58] : 2'b00);
            wire [41:0] differs = entry[41:0] ^ key_q;
            wire fits_key = differs[41:32] == 0 && (wild[1] || differs[31:16] == 0) &&
                           (wild[0] || differs[15:0] == 0);
            wire is_cancelled = entry[57:42] == pointer_q;
            assign is_there[i] = entry[60];
            assign hits[i] = entry[60] && (command_q == CANCEL ? is_cancelled : fits_key);
            assign pointers[16*i +: 16] = entry[57:42];
        end
    endgenerate

    // The oldest of a row is in the lowest lane.
    reg [LANE_BITS-1:0] first;
    integer j;
    always @* begin
        first = {LANE_BITS{1'b0}};
        for (j = WIDTH - 1; j >= 0; j = j - 1)
            if (hits[j]) first = j[LANE_BITS-1:0];
    end

    always @(posedge clk) begin
        done <= 1'b0;
        if (rst) begin
            state <= CLEAR;
            row <= {ROW_BITS+1{1'b0}};
            front <= {ROW_BITS+1{1'b0}};
            back <= {ROW_BITS+1{1'b0}};
            back_lane <= {LANE_BITS{1'b0}};
        end else case (state)
            CLEAR: begin
                row <= next;
                if (next[ROW_BITS]) state <= IDLE;
            end
            IDLE: if (valid) begin
                command_q <= command;
                key_q <= key;
                wildcards_q <= wildcards;
                pointer_q <= pointer;
                row <= front;
                is_leading <= 1'b1;
                found_pointer <= pointer;
                if (command == INSERT) begin
                    done <= 1'b1;
                    found <= !is_full;
                    if (!is_full) begin
                        back_lane <= back_lane + 1'b1;
                        if (&back_lane) back <= back + 1'b1;
                    end
                end else if (is_empty) begin
                    done <= 1'b1;
                    found <= 1'b0;
                end else begin
                    state <= SCAN;
                end
            end
            SCAN: begin
                found <= |hits;
                found_pointer <= pointers[16*first +: 16];
                lane <= first;
                if (|hits || row == last) begin
                    done <= 1'b1;
                    state <= |hits && command_q != PROBE ? REMOVE : IDLE;
                end else begin
                    row <= next;
                end
                // The row in which the next entry goes is not given back.
                if (is_leading && is_there == 0 && row != back) front <= next;
                else is_leading <= 1'b0;
            end
            REMOVE: state <= IDLE;
        endcase
    end
endmodule

// Searches a queue of MPI's envelopes in block RAM, WIDTH entries a cycle, for the oldest that
// matches. Entries lie in a ring in order of arrival, without gaps: when one is taken out, those that
// are older move up by one, a row in a cycle.
//
// A command is taken when `valid` and `ready`, and is answered by one cycle of `done`:
//   INSERT  adds the youngest entry; `found` says whether there was room
//   TAKE    finds the oldest entry that matches, and takes it out
//   PROBE   the same, but it stays
//   CANCEL  takes out the entry with this pointer
// INSERT is refused only if all entries are live. An entry in row n of the search is answered after
// n + 2 cycles (n from 0 on); after TAKE and CANCEL the next command is taken after 2 n + 4, so at the
// latest after 2 ROWS + 4.
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
    output reg  [15:0] found_pointer,
    output reg  [ROW_BITS+LANE_BITS-1:0] found_place  // in the ring; before TAKE moves what is older
);
    localparam INSERT = 2'd0, PROBE = 2'd2, CANCEL = 2'd3;  // 1 is TAKE
    localparam ENTRY_BITS = 60;     // wildcards, pointer, key
    localparam PLACE_BITS = ROW_BITS + LANE_BITS;
    localparam IDLE = 2'd0, SCAN = 2'd1, READ = 2'd2, MOVE = 2'd3;

    reg [1:0]  state;
    reg [1:0]  command_q;
    reg [41:0] key_q;
    reg [1:0]  wildcards_q;
    reg [15:0] pointer_q;

    // Places of the oldest entry and behind the youngest; a row's number and a lane's. With a bit
    // more than a place's number, so that a full ring is not an empty one.
    reg [PLACE_BITS:0] front;
    reg [PLACE_BITS:0] back;
    wire [ROW_BITS:0]    front_row = front[PLACE_BITS:LANE_BITS];
    wire [LANE_BITS-1:0] front_lane = front[LANE_BITS-1:0];
    wire [ROW_BITS:0]    back_row = back[PLACE_BITS:LANE_BITS];
    wire [LANE_BITS-1:0] back_lane = back[LANE_BITS-1:0];

    reg [ROW_BITS:0]    row;        // that is compared, or moved
    reg [LANE_BITS-1:0] lane;       // the youngest that is written when its row moves

    wire is_full = back[PLACE_BITS] != front[PLACE_BITS] &&
                   back[PLACE_BITS-1:0] == front[PLACE_BITS-1:0];
    wire is_empty = back == front;
    wire is_front = row == front_row;
    wire is_back = row == back_row;
    wire [ROW_BITS:0] last = back_lane == 0 ? back_row - 1'b1 : back_row;

    assign ready = state == IDLE;
    wire takes = valid && ready;
    wire inserts = takes && command == INSERT && !is_full;

    wire [ROW_BITS:0]   next = row + 1'b1;
    wire [ROW_BITS-1:0] previous = row[ROW_BITS-1:0] - 1'b1;
    wire [ROW_BITS-1:0] read_row = state == IDLE ? front_row[ROW_BITS-1:0] :
                                   state == SCAN ? next[ROW_BITS-1:0] :
                                   state == READ ? row[ROW_BITS-1:0] : previous;
    // What moves to a row's lane 0 is in the last lane of the row before it.
    wire [ROW_BITS-1:0] read_row_of_last_lane =
        state == READ ? previous : state == MOVE ? previous - 1'b1 : read_row;
    wire [ROW_BITS-1:0] write_row = state == MOVE ? row[ROW_BITS-1:0] : back_row[ROW_BITS-1:0];

    // Lanes of the row of the oldest entry, of that behind the youngest, and of one that moves.
    localparam [WIDTH-1:0] ALL = {WIDTH{1'b1}};
    wire [WIDTH-1:0] from_front = ALL << front_lane;
    wire [WIDTH-1:0] behind_front = from_front << 1;
    wire [WIDTH-1:0] before_back = ~(ALL << back_lane);
    wire [WIDTH-1:0] up_to_lane = ~((ALL << 1) << lane);

    wire [ENTRY_BITS*WIDTH-1:0] entries;
    wire [WIDTH-1:0] hits;
    wire [16*WIDTH-1:0] pointers;

    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin : lanes
            reg [ENTRY_BITS-1:0] memory [0:ROWS-1];
            reg [ENTRY_BITS-1:0] entry;
            localparam BEFORE = (i + WIDTH - 1) % WIDTH;
            // The front's row may have the youngest entries too, before the oldest.
            wire is_moved = state == MOVE && up_to_lane[i] && (!is_front || behind_front[i]);
            always @(posedge clk) begin
                if (is_moved || (inserts && back_lane == i))
                    memory[write_row] <= state == MOVE ? entries[ENTRY_BITS*BEFORE +: ENTRY_BITS]
                                                       : {wildcards, pointer, key};
                entry <= memory[i == WIDTH - 1 ? read_row_of_last_lane : read_row];
            end
            assign entries[ENTRY_BITS*i +: ENTRY_BITS] = entry;
            wire [1:0] wild = wildcards_q | (STORES_WILDCARDS != 0 ? entry[59:58] : 2'b00);
            wire [41:0] differs = entry[41:0] ^ key_q;
            wire fits_key = differs[41:32] == 0 && (wild[1] || differs[31:16] == 0) &&
                           (wild[0] || differs[15:0] == 0);
            wire is_cancelled = entry[57:42] == pointer_q;
            wire is_there = (!is_front || from_front[i]) && (!is_back || before_back[i]);
            assign hits[i] = is_there && (command_q == CANCEL ? is_cancelled : fits_key);
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
            state <= IDLE;
            front <= {PLACE_BITS+1{1'b0}};
            back <= {PLACE_BITS+1{1'b0}};
        end else case (state)
            IDLE: if (valid) begin
                command_q <= command;
                key_q <= key;
                wildcards_q <= wildcards;
                pointer_q <= pointer;
                row <= front_row;
                found_pointer <= pointer;
                if (command == INSERT) begin
                    done <= 1'b1;
                    found <= !is_full;
                    if (!is_full) back <= back + 1'b1;
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
                found_place <= {row[ROW_BITS-1:0], first};
                lane <= first;
                if (|hits || row == last) begin
                    done <= 1'b1;
                    state <= |hits && command_q != PROBE ? READ : IDLE;
                end else begin
                    row <= next;
                end
            end
            READ: state <= MOVE;
            MOVE: begin
                row <= row - 1'b1;
                lane <= {LANE_BITS{1'b1}};
                if (is_front) begin
                    front <= front + 1'b1;
                    state <= IDLE;
                end
            end
        endcase
    end
endmodule

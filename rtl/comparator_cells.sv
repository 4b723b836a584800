// The rival: an associative list of cells, each with registers and comparators of its own, as in
// ALPU [Underwood05]. All cells compare at once. Commands and answers are those of row_searcher.
//
// A new entry goes into the last cell, and all cells from the last gap on take the entry of the
// cell behind them. So cells are in order of arrival, the oldest entry first. One that is taken out
// leaves a gap. Entries move in one direction only and all at once, so that a register's input is
// its neighbour, without a multiplexer.
//
// The sign of a number's negative says whether any of its bits is set: a carry chain, whose LUTs
// compute two bits each and which needs none to join them, as a tree of ORs would.
module comparator_cells #(
    parameter ENTRIES = 256,    // an even number
    parameter STORES_WILDCARDS = 0,
    parameter CANCELS = 1       // else cells do not compare pointers, and CANCEL finds nothing
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    output wire        ready,
    input  wire [1:0]  command,
    input  wire [41:0] key,
    input  wire [1:0]  wildcards,
    input  wire [15:0] pointer,
    output reg         done,
    output reg         found,
    output reg  [15:0] found_pointer
);
    localparam INSERT = 2'd0, PROBE = 2'd2, CANCEL = 2'd3;  // 1 is TAKE
    localparam IDLE = 2'd0, COMPARE = 2'd1, SELECT = 2'd2;
    localparam CELL_BITS = STORES_WILDCARDS != 0 ? 60 : 58;

    reg [1:0]  state;
    reg [1:0]  command_q;
    reg [41:0] key_q;
    reg [1:0]  wildcards_q;
    reg [15:0] pointer_q;

    // Bit 0 is the last cell here, so that a sum's carry goes from it to the nearest gap.
    reg [ENTRIES-1:0] is_used;
    wire [ENTRIES-1:0] with_one_more = is_used + 1'b1;
    wire [ENTRIES-1:0] up_to_gap = is_used ^ with_one_more;
    wire is_full = &is_used;

    assign ready = state == IDLE;
    wire inserts = valid && ready && command == INSERT && !is_full;

    wire [CELL_BITS-1:0] inserted;
    generate
        if (STORES_WILDCARDS != 0) begin : receives
            assign inserted = {wildcards, pointer, key};
        end else begin : messages
            assign inserted = {pointer, key};
        end
    endgenerate

    // Bit 0 is the oldest cell here, so that the carry of -hits goes from the oldest hit on.
    reg [ENTRIES-1:0] hits;
    wire [ENTRIES-1:0] fits;
    wire [ENTRIES-1:0] first = hits & -hits;
    wire [ENTRIES-1:0] taken;  // as is_used

    // Cell i is there from bit i * CELL_BITS on.
    reg [CELL_BITS*ENTRIES-1:0] cells;

    genvar i, j;
    generate
        for (i = 0; i < ENTRIES; i = i + 1) begin : compare
            wire [CELL_BITS-1:0] entry = cells[CELL_BITS*i +: CELL_BITS];
            wire [CELL_BITS-1:0] behind;
            if (i + 1 < ENTRIES) begin : inner
                assign behind = cells[CELL_BITS*(i+1) +: CELL_BITS];
            end else begin : outermost
                assign behind = inserted;
            end
            always @(posedge clk)
                if (inserts && up_to_gap[ENTRIES-1-i])
                    cells[CELL_BITS*i +: CELL_BITS] <= behind;

            wire [1:0] stored;
            if (STORES_WILDCARDS != 0) begin : with_wildcards
                assign stored = entry[CELL_BITS-1 -: 2];
            end else begin : without
                assign stored = 2'b00;
            end
            wire [1:0] wild = wildcards_q | stored;
            wire [41:0] differs = entry[41:0] ^ key_q;
            wire [20:0] pairs;
            for (j = 0; j < 21; j = j + 1) begin : of_key
                assign pairs[j] = |differs[2*j +: 2];
            end
            wire other_source, other_tag;
            wire [7:0] unused_source, unused_tag;
            assign {other_source, unused_source} = -{1'b0, pairs[15:8]};
            assign {other_tag, unused_tag} = -{1'b0, pairs[7:0]};
            wire fits_key = pairs[20:16] == 0 && (wild[1] || !other_source) &&
                            (wild[0] || !other_tag);
            wire is_cancelled = CANCELS != 0 && entry[57:42] == pointer_q;
            assign fits[i] = is_used[ENTRIES-1-i] &&
                             (command_q == CANCEL ? is_cancelled : fits_key);
            assign taken[ENTRIES-1-i] = first[i];
        end
    endgenerate

    // The pointer of the only cell that is `first`; of two cells at most one is.
    wire [15:0] chosen;
    generate
        for (j = 0; j < 16; j = j + 1) begin : choose
            wire [ENTRIES/2-1:0] pairs;
            for (i = 0; i < ENTRIES/2; i = i + 1) begin : of_cells
                assign pairs[i] = (first[2*i] && cells[CELL_BITS*2*i+42+j]) ||
                                  (first[2*i+1] && cells[CELL_BITS*(2*i+1)+42+j]);
            end
            wire [ENTRIES/2-1:0] unused_sum;
            assign {chosen[j], unused_sum} = -{1'b0, pairs};
        end
    endgenerate

    always @(posedge clk) begin
        done <= 1'b0;
        if (rst) begin
            state <= IDLE;
            is_used <= {ENTRIES{1'b0}};
        end else case (state)
            IDLE: if (valid) begin
                command_q <= command;
                key_q <= key;
                wildcards_q <= wildcards;
                pointer_q <= pointer;
                found_pointer <= pointer;
                if (command == INSERT) begin
                    done <= 1'b1;
                    found <= !is_full;
                    is_used <= is_used | with_one_more;
                end else begin
                    state <= COMPARE;
                end
            end
            COMPARE: begin
                hits <= fits;
                state <= SELECT;
            end
            SELECT: begin
                done <= 1'b1;
                found <= |hits;
                found_pointer <= chosen;
                if (command_q != PROBE) is_used <= is_used & ~taken;
                state <= IDLE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule

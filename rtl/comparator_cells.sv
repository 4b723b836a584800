// The rival: an associative list of cells, each with registers and comparators of its own, as in
// ALPU [Underwood05]. All cells compare at once; the oldest entry is in cell 0, and what is behind
// one that is taken out moves up. Commands and answers are those of row_searcher.
module comparator_cells #(
    parameter ENTRIES = 256,
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

    reg [ENTRIES-1:0] is_used;  // from cell 0 on
    reg [ENTRIES-1:0] hits;
    wire [ENTRIES-1:0] fits;
    // From the oldest hit on.
    wire [ENTRIES-1:0] from_first = hits | -hits;
    wire [ENTRIES-1:0] first = hits & -hits;
    wire moves = state == SELECT && command_q != PROBE && |hits;

    assign ready = state == IDLE;
    wire inserts = valid && ready && command == INSERT;

    wire [CELL_BITS-1:0] inserted;
    generate
        if (STORES_WILDCARDS != 0) begin : receives
            assign inserted = {wildcards, pointer, key};
        end else begin : messages
            assign inserted = {pointer, key};
        end
    endgenerate

    // Cell i is there from bit i * CELL_BITS on.
    reg [CELL_BITS*ENTRIES-1:0] cells;
    wire [ENTRIES-1:0] is_used_before = {is_used[ENTRIES-2:0], 1'b1};

    genvar i;
    generate
        for (i = 0; i < ENTRIES; i = i + 1) begin : compare
            wire [CELL_BITS-1:0] entry = cells[CELL_BITS*i +: CELL_BITS];
            wire [CELL_BITS-1:0] behind;
            if (i + 1 < ENTRIES) begin : inner
                assign behind = cells[CELL_BITS*(i+1) +: CELL_BITS];
            end else begin : outermost
                assign behind = {CELL_BITS{1'b0}};
            end
            wire is_next = !is_used[i] && is_used_before[i];
            always @(posedge clk)
                if ((inserts && is_next) || (moves && from_first[i]))
                    cells[CELL_BITS*i +: CELL_BITS] <= moves ? behind : inserted;

            wire [1:0] stored;
            if (STORES_WILDCARDS != 0) begin : with_wildcards
                assign stored = entry[CELL_BITS-1 -: 2];
            end else begin : without
                assign stored = 2'b00;
            end
            wire [1:0] wild = wildcards_q | stored;
            wire [41:0] differs = entry[41:0] ^ key_q;
            wire fits_key = differs[41:32] == 0 && (wild[1] || differs[31:16] == 0) &&
                            (wild[0] || differs[15:0] == 0);
            wire is_cancelled = CANCELS != 0 && entry[57:42] == pointer_q;
            assign fits[i] = is_used[i] && (command_q == CANCEL ? is_cancelled : fits_key);
        end
    endgenerate

    // The pointer of the only cell that is `first`.
    reg [15:0] chosen;
    integer j;
    always @* begin
        chosen = 16'd0;
        for (j = 0; j < ENTRIES; j = j + 1)
            chosen = chosen | (first[j] ? cells[CELL_BITS*j+42 +: 16] : 16'd0);
    end

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
                    found <= !is_used[ENTRIES-1];
                    is_used <= {is_used[ENTRIES-2:0], 1'b1};
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
                if (moves) is_used <= is_used >> 1;
                state <= IDLE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule

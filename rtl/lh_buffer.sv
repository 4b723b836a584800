// Limited-length head separation [Tanabe07]: a queue of entries of 64 bytes, in order of arrival.
//
// A message comes in beats of 16 bytes. One of at most 64 bytes is stored whole in an entry. Of a
// longer one the first `split` beats are stored there, the rest goes to slow memory, and the
// entry's last beat says where that begins and how long the message is. Its size is read from the
// 32-bit word of the head that `size_word` names, which must lie before the split. Both are
// registers.
//
// The host reads entries by a port of its own: `count` of them from place `front` on, the oldest
// first, round and round. It may give back any of them, together with the slow memory before
// `release_slow`. Places of older entries then move up by one, and `front` with them, so that entries
// lie without gaps. A message waits only if all entries are live, or without slow memory. Beats
// behind a short message's 64 bytes are dropped. After a message's last beat one cycle passes in
// which none is taken, after a long one's two.
//
// Heads stay where they are: a list has the row of each place, and the rows of the list move, one
// in a cycle. An entry given back is free after one cycle if it is the oldest, and after n + 5 if n
// are older. In that time `release_ready` is low and the host does not read; messages come in.
module lh_buffer #(
    parameter ENTRIES = 64,     // a power of two
    parameter SLOW_BITS = 24,   // of an address in slow memory, in beats
    parameter INDEX_BITS = $clog2(ENTRIES)
) (
    input  wire                    clk,
    input  wire                    rst,
    // Registers. Not to be written while a message comes in.
    input  wire                    configure,
    input  wire [1:0]              set_split,      // beats, 1 to 3
    input  wire [3:0]              set_size_word,
    // Messages.
    input  wire [127:0]            in_data,
    input  wire                    in_valid,
    input  wire                    in_last,
    output wire                    in_ready,
    output wire                    stored,         // an entry, in this cycle
    // Slow memory.
    output wire [127:0]            slow_data,
    output wire [SLOW_BITS-1:0]    slow_address,
    output wire                    slow_valid,
    input  wire                    slow_ready,
    // The host.
    input  wire [INDEX_BITS+1:0]   host_address,   // an entry's place and a beat's number
    output reg  [127:0]            host_data,      // two cycles later
    output reg  [INDEX_BITS-1:0]   front,
    output reg  [INDEX_BITS:0]     count,
    input  wire                    release_entry,
    output wire                    release_ready,
    input  wire [INDEX_BITS-1:0]   release_place,
    input  wire [SLOW_BITS-1:0]    release_slow
);
    localparam ENTRY_BYTES = 64;

    reg [1:0] split;
    reg [3:0] size_word;

    localparam CLEAR = 3'd0, REST = 3'd1, READ = 3'd2, KEEP = 3'd3, MOVE = 3'd4, SETTLE = 3'd5;

    reg [127:0] heads [0:4*ENTRIES-1];

    // The row of each place. Every row is in it once at rest, also those that are free.
    reg [INDEX_BITS-1:0] rows [0:ENTRIES-1];
    reg [INDEX_BITS-1:0] back_row;    // of place `back`, one cycle later
    reg                  is_behind;   // `back_row` is still that of the place before
    reg [INDEX_BITS-1:0] read_row;
    reg [1:0]            read_beat;

    reg [2:0]            state;       // of the list
    reg [INDEX_BITS-1:0] place;       // whose row is read; two behind it one is written
    reg [INDEX_BITS-1:0] released_row;

    reg [INDEX_BITS-1:0] back;        // the place of the entry that is being written
    reg [2:0]            beat;        // of the message; stays at 4
    reg                  is_known;    // its size
    reg                  is_long;
    reg [31:0]           size;
    reg                  writes_pointer;
    reg [SLOW_BITS-1:0]  slow_first;  // of the rest of this message
    reg [SLOW_BITS-1:0]  slow_next;
    reg [SLOW_BITS-1:0]  slow_oldest;

    wire is_full = count[INDEX_BITS];
    wire is_slow_full = slow_next + 1'b1 == slow_oldest;

    wire goes_to_slow = is_known && is_long && beat >= {1'b0, split};
    wire goes_to_head = !goes_to_slow && !beat[2];
    wire takes = in_valid && in_ready;

    assign slow_data = in_data;
    assign slow_address = slow_next;
    assign slow_valid = in_valid && goes_to_slow && !is_slow_full && !writes_pointer;
    assign release_ready = state == REST;
    assign stored = stores;
    assign in_ready = state != CLEAR && !writes_pointer && !is_behind &&
                      (goes_to_slow ? slow_ready && !is_slow_full : !is_full);

    wire [31:0] word = in_data[32*size_word[1:0] +: 32];
    wire has_size = beat == {1'b0, size_word[3:2]};
    wire is_long_now = has_size ? word > ENTRY_BYTES : is_long;
    wire ends = takes && in_last;
    wire stores = writes_pointer || (ends && !is_long_now);

    always @(posedge clk) begin
        if (writes_pointer || (takes && goes_to_head))
            heads[{back_row, writes_pointer ? 2'd3 : beat[1:0]}] <=
                {in_data[127:64],
                 writes_pointer ? {size, {32-SLOW_BITS{1'b0}}, slow_first} : in_data[63:0]};
        host_data <= heads[{read_row, read_beat}];
        read_beat <= host_address[1:0];
    end

    // The list.
    wire releases = release_entry && release_ready && count != 0;
    wire releases_oldest = releases && release_place == front;
    wire [INDEX_BITS-1:0] written_place = state == CLEAR ? place : place + {{INDEX_BITS-2{1'b0}}, 2'd2};
    wire is_last = written_place == front;
    wire frees = releases_oldest || state == SETTLE;

    always @(posedge clk) begin
        if (state == CLEAR || state == MOVE)
            rows[written_place] <= state == CLEAR ? place : is_last ? released_row : read_row;
        read_row <= rows[state == REST ? host_address[INDEX_BITS+1:2] : place];
        back_row <= rows[back];
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= CLEAR;
            place <= {INDEX_BITS{1'b0}};
        end else case (state)
            CLEAR: begin
                place <= place + 1'b1;
                if (&place) state <= REST;
            end
            REST: if (releases && !releases_oldest) begin
                place <= release_place;
                state <= READ;
            end
            READ: begin
                place <= place - 1'b1;
                state <= KEEP;
            end
            KEEP: begin
                released_row <= read_row;
                place <= place - 1'b1;
                state <= MOVE;
            end
            MOVE: begin
                place <= place - 1'b1;
                if (is_last) state <= SETTLE;
            end
            // In a full buffer the row just written is that of `back`, which is read once more.
            default: state <= REST;
        endcase
    end

    always @(posedge clk) begin
        if (rst) begin
            split <= 2'd3;
            size_word <= 4'd0;
        end else if (configure) begin
            split <= set_split;
            size_word <= set_size_word;
        end
    end

    always @(posedge clk) begin
        is_behind <= stores;
        if (rst) begin
            beat <= 3'd0;
            is_known <= 1'b0;
            is_long <= 1'b0;
            writes_pointer <= 1'b0;
            back <= {INDEX_BITS{1'b0}};
            slow_next <= {SLOW_BITS{1'b0}};
            slow_first <= {SLOW_BITS{1'b0}};
            size <= 32'd0;
        end else begin
            if (takes) begin
                if (has_size) begin
                    size <= word;
                    is_long <= word > ENTRY_BYTES;
                    is_known <= 1'b1;
                end
                if (goes_to_slow) slow_next <= slow_next + 1'b1;
                if (!beat[2]) beat <= beat + 3'd1;
                writes_pointer <= in_last && is_long_now;
            end
            if (stores) begin
                back <= back + 1'b1;
                beat <= 3'd0;
                is_known <= 1'b0;
                is_long <= 1'b0;
                writes_pointer <= 1'b0;
                slow_first <= takes && goes_to_slow ? slow_next + 1'b1 : slow_next;
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            front <= {INDEX_BITS{1'b0}};
            count <= {INDEX_BITS+1{1'b0}};
            slow_oldest <= {SLOW_BITS{1'b0}};
        end else begin
            if (frees) front <= front + 1'b1;
            if (releases) slow_oldest <= release_slow;
            count <= count + {{INDEX_BITS{1'b0}}, stores}
                           - {{INDEX_BITS{1'b0}}, frees};
        end
    end
endmodule

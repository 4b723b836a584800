// Limited-length head separation [Tanabe07]: a FIFO of entries of 64 bytes.
//
// A message comes in beats of 16 bytes. One of at most 64 bytes is stored whole in an entry. Of a
// longer one the first `split` beats are stored there, the rest goes to slow memory, and the
// entry's last beat says where that begins and how long the message is. Its size is read from the
// 32-bit word of the head that `size_word` names, which must lie before the split. Both are
// registers.
//
// The host reads entries by a port of its own, from `front` on `count` of them, the oldest first,
// and gives the oldest back together with the slow memory before `release_slow`. Without a free
// entry, or without slow memory, the message waits in front of the buffer. Beats behind a short
// message's 64 bytes are dropped.
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
    // Slow memory.
    output wire [127:0]            slow_data,
    output wire [SLOW_BITS-1:0]    slow_address,
    output wire                    slow_valid,
    input  wire                    slow_ready,
    // The host.
    input  wire [INDEX_BITS+1:0]   host_address,   // an entry's number and a beat's
    output reg  [127:0]            host_data,
    output reg  [INDEX_BITS-1:0]   front,
    output reg  [INDEX_BITS:0]     count,
    input  wire                    release_entry,
    input  wire [SLOW_BITS-1:0]    release_slow
);
    localparam ENTRY_BYTES = 64;

    reg [1:0] split;
    reg [3:0] size_word;

    reg [127:0] heads [0:4*ENTRIES-1];

    reg [INDEX_BITS-1:0] back;        // the entry that is being written
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
    assign in_ready = !writes_pointer &&
                      (goes_to_slow ? slow_ready && !is_slow_full : !is_full);

    wire [31:0] word = in_data[32*size_word[1:0] +: 32];
    wire has_size = beat == {1'b0, size_word[3:2]};
    wire is_long_now = has_size ? word > ENTRY_BYTES : is_long;
    wire ends = takes && in_last;
    wire stores = writes_pointer || (ends && !is_long_now);

    always @(posedge clk) begin
        if (writes_pointer || (takes && goes_to_head))
            heads[{back, writes_pointer ? 2'd3 : beat[1:0]}] <=
                {in_data[127:64],
                 writes_pointer ? {size, {32-SLOW_BITS{1'b0}}, slow_first} : in_data[63:0]};
        host_data <= heads[host_address];
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
            if (release_entry && count != 0) begin
                front <= front + 1'b1;
                slow_oldest <= release_slow;
            end
            count <= count + {{INDEX_BITS{1'b0}}, stores}
                           - {{INDEX_BITS{1'b0}}, release_entry && count != 0};
        end
    end
endmodule

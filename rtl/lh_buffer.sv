// Limited-length head separation [Tanabe07]: a queue of entries of 64 bytes, in order of arrival.
//
// A message comes in beats of 16 bytes. One of at most 64 bytes is stored whole in an entry. Of a
// longer one the first `split` beats are stored there, the rest goes to slow memory, and the
// entry's last beat says where that begins and how long the message is. Its size is read from the
// 32-bit word of the head that `size_word` names, which must lie before the split. Both are
// registers.
//
// Slow memory is divided into blocks. A message takes as many as it needs, from the start of the
// first one on, and they need not be neighbours: the host asks for the block that follows another.
//
// The host reads entries by a port of its own: `count` of them from place `front` on, the oldest
// first, round and round. It may give back any of them, and the entry's blocks are then free too.
// Places of older entries move up by one, and `front` with them, so that entries lie without gaps.
// A message waits only if all entries are live, or if it needs a block and none is free. Beats
// behind a short message's 64 bytes are dropped. After a message's last beat one cycle passes in
// which none is taken, after a long one's two.
//
// Heads stay where they are: a list has the row of each place, and the rows of the list move, one
// in a cycle. An entry given back is free after one cycle if it is the oldest, and after n + 4 if n
// are older. In that time, which begins with the cycle of the release, the host does not read;
// `release_ready` is low after that cycle; messages come in. Blocks are free after three cycles.
// After a reset, nothing comes in until the lists are written, in a cycle for each entry or block.
module lh_buffer #(
    parameter ENTRIES = 64,     // a power of two
    parameter SLOW_BITS = 24,   // of an address in slow memory, in beats
    parameter BLOCK_BITS = 14,  // of a beat's number in its block; 1 to SLOW_BITS - 1
    parameter LINK_BITS = SLOW_BITS - BLOCK_BITS,   // of a block's number
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
    input  wire [LINK_BITS-1:0]    host_block,     // of a live entry
    output reg  [LINK_BITS-1:0]    host_next,      // the block that follows it, one cycle later
    output reg  [INDEX_BITS-1:0]   front,
    output reg  [INDEX_BITS:0]     count,
    input  wire                    release_entry,
    output wire                    release_ready,
    input  wire [INDEX_BITS-1:0]   release_place
);
    localparam ENTRY_BYTES = 64;
    localparam BLOCKS = 1 << LINK_BITS;

    reg [1:0] split;
    reg [3:0] size_word;

    localparam CLEAR = 3'd0, REST = 3'd1, KEEP = 3'd2, MOVE = 3'd3, SETTLE = 3'd4;

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

    // The block behind each. Free blocks are a queue, and a message takes the first ones, which
    // are linked already: the only link to be written is that from the last free block to the
    // first of a message given back. If none is free, that write also links the message that waits
    // for a block, since its last block is then `free_last`.
    reg [LINK_BITS-1:0]  links [0:BLOCKS-1];
    reg [LINK_BITS-1:0]  free_last;   // if none is free, the last that was taken
    reg                  is_none_free;
    reg [LINK_BITS-1:0]  link;        // of the block that was taken last, when it was taken
    reg [LINK_BITS-1:0]  given_back;  // the first free block in place of `link`
    reg                  uses_link;

    // Of each row: whether its message has blocks, the first of them and the last.
    reg [2*LINK_BITS:0]  chains [0:ENTRIES-1];
    reg [2*LINK_BITS:0]  chain;       // of the entry given back two cycles ago
    reg                  reads_chain;
    reg                  has_chain;

    reg [INDEX_BITS-1:0] back;        // the place of the entry that is being written
    reg [2:0]            beat;        // of the message; stays at 4
    reg                  is_known;    // its size
    reg                  is_long;
    reg [31:0]           size;
    reg                  writes_pointer;
    reg                  has_blocks;  // this message
    reg [LINK_BITS-1:0]  first_block;
    reg [LINK_BITS-1:0]  block;       // that is being filled
    reg [BLOCK_BITS-1:0] block_beat;  // the next one's number in its block

    wire is_full = count[INDEX_BITS];
    wire needs_block = block_beat == 0;
    wire is_slow_full = needs_block && is_none_free;
    wire [LINK_BITS-1:0] free_first = uses_link ? link : given_back;

    wire goes_to_slow = is_known && is_long && beat >= {1'b0, split};
    wire goes_to_head = !goes_to_slow && !beat[2];
    wire takes = in_valid && in_ready;

    assign slow_data = in_data;
    assign slow_address = {needs_block ? free_first : block, block_beat};
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
    wire takes_block = takes && goes_to_slow && needs_block;
    wire [SLOW_BITS-1:0] slow_first = {first_block, {BLOCK_BITS{1'b0}}};

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
        read_row <= rows[releases ? release_place
                         : state == REST ? host_address[INDEX_BITS+1:2] : place];
        back_row <= rows[back];
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= CLEAR;
            place <= {INDEX_BITS{1'b0}};
        end else case (state)
            CLEAR: begin
                // The shorter list is written more than once.
                place <= place + 1'b1;
                if (&place && &free_last) state <= REST;
            end
            REST: if (releases && !releases_oldest) begin
                place <= release_place - 1'b1;
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

    // Blocks.
    wire [LINK_BITS-1:0] chain_first = chain[2*LINK_BITS-1:LINK_BITS];
    wire [LINK_BITS-1:0] chain_last = chain[LINK_BITS-1:0];
    wire frees_blocks = has_chain && chain[2*LINK_BITS];
    // No block, but for those given back in this cycle.
    wire is_none_left = is_none_free || (takes_block && free_first == free_last);

    always @(posedge clk) begin
        if (state == CLEAR || frees_blocks)
            links[free_last] <= state == CLEAR ? free_last + 1'b1 : chain_first;
        // The link is read once, since it may change when this block, as the last free one, is
        // followed by others.
        if (takes_block) link <= links[free_first];
        host_next <= links[host_block];
        if (stores) chains[back_row] <= {has_blocks, first_block, block};
        chain <= chains[read_row];
    end

    always @(posedge clk) begin
        if (rst) begin
            free_last <= {LINK_BITS{1'b0}};
            is_none_free <= 1'b0;
            given_back <= {LINK_BITS{1'b0}};
            uses_link <= 1'b0;
            reads_chain <= 1'b0;
            has_chain <= 1'b0;
        end else begin
            reads_chain <= releases;
            has_chain <= reads_chain;
            if (state == CLEAR && !(&place && &free_last)) free_last <= free_last + 1'b1;
            if (frees_blocks) free_last <= chain_last;
            is_none_free <= is_none_left && !frees_blocks;
            if (takes_block) uses_link <= 1'b1;
            if (is_none_left && frees_blocks) begin
                given_back <= chain_first;
                uses_link <= 1'b0;
            end
        end
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
            has_blocks <= 1'b0;
            first_block <= {LINK_BITS{1'b0}};
            block <= {LINK_BITS{1'b0}};
            block_beat <= {BLOCK_BITS{1'b0}};
            size <= 32'd0;
        end else begin
            if (takes) begin
                if (has_size) begin
                    size <= word;
                    is_long <= word > ENTRY_BYTES;
                    is_known <= 1'b1;
                end
                if (goes_to_slow) block_beat <= block_beat + 1'b1;
                if (takes_block) begin
                    has_blocks <= 1'b1;
                    block <= free_first;
                    if (!has_blocks) first_block <= free_first;
                end
                if (!beat[2]) beat <= beat + 3'd1;
                writes_pointer <= in_last && is_long_now;
            end
            if (stores) begin
                back <= back + 1'b1;
                beat <= 3'd0;
                is_known <= 1'b0;
                is_long <= 1'b0;
                writes_pointer <= 1'b0;
                has_blocks <= 1'b0;
                block_beat <= {BLOCK_BITS{1'b0}};
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            front <= {INDEX_BITS{1'b0}};
            count <= {INDEX_BITS+1{1'b0}};
        end else begin
            if (frees) front <= front + 1'b1;
            count <= count + {{INDEX_BITS{1'b0}}, stores}
                           - {{INDEX_BITS{1'b0}}, frees};
        end
    end

`ifndef SYNTHESIS
    // Every block is in one chain: of a row, of the message that comes in, of an entry that is given
    // back, or of those that are free. So none is handed out twice, or lost. A violation ends the
    // simulation. All chains are walked whenever one may have changed.
    localparam COMING_IN = ENTRIES, GIVEN_BACK = ENTRIES + 1, FREE = ENTRIES + 2;
    reg [ENTRIES-1:0]    owns_chain;  // rows whose entries were not given back
    reg                  is_changed;
    reg [BLOCKS-1:0]     is_seen;
    reg                  is_shared;
    reg                  is_walked;
    reg [LINK_BITS-1:0]  step;
    reg [LINK_BITS-1:0]  step_last;
    wire [INDEX_BITS-1:0] release_age = release_place - front;
    integer owner;
    integer length;
    // verilator lint_off BLKSEQ
    always @(negedge clk) if (is_changed) begin
        is_seen = {BLOCKS{1'b0}};
        is_shared = 1'b0;
        for (owner = 0; owner <= FREE; owner = owner + 1) begin
            if (owner == FREE) begin
                {step, step_last} = {free_first, free_last};
                is_walked = is_none_free;
            end else if (owner == GIVEN_BACK) begin
                {step, step_last} = {chain_first, chain_last};
                is_walked = !frees_blocks;
            end else if (owner == COMING_IN) begin
                {step, step_last} = {first_block, block};
                is_walked = !has_blocks;
            end else begin
                {step, step_last} = chains[owner[INDEX_BITS-1:0]][2*LINK_BITS-1:0];
                is_walked = !owns_chain[owner[INDEX_BITS-1:0]];
            end
            for (length = 0; length < BLOCKS && !is_walked; length = length + 1) begin
                is_shared = is_shared || is_seen[step];
                is_seen[step] = 1'b1;
                is_walked = step == step_last;
                step = links[step];
            end
        end
        assert (!is_shared) else $fatal(1, "a block is in two places");
        assert (&is_seen) else $fatal(1, "a block is lost");
    end
    // verilator lint_on BLKSEQ
    always @(posedge clk) begin
        is_changed <= !rst && state != CLEAR &&
                      (takes_block || stores || reads_chain || has_chain);
        if (rst) begin
            owns_chain <= {ENTRIES{1'b0}};
        end else begin
            if (reads_chain) owns_chain[read_row] <= 1'b0;
            // A message of one beat may already have the row of one just given back.
            if (stores) owns_chain[back_row] <= has_blocks;
            if (releases) assert ({1'b0, release_age} < count)
                else $fatal(1, "an entry that is not live was given back");
            if (state == REST && count == 0 && !reads_chain) assert (owns_chain == 0)
                else $fatal(1, "a row without an entry has blocks");
        end
    end
`endif
endmodule

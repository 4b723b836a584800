// Head separation [Tanabe07] whole: the buffer of heads, and a searcher that finds messages in it.
//
// A message that is stored whole is inserted into the searcher. Its key is in the first beat: tag and
// source in word 1, the context in word 2; its pointer is its number in order of arrival. Commands of
// the host are those of row_searcher but for INSERT, which it must not give. They wait until the last
// message is inserted and the buffer is at rest. An entry that TAKE or CANCEL takes out is given back
// to the buffer in the same cycle, with its blocks of slow memory. From then until `ready` the host
// does not read. If it wants to read a message, it finds it by PROBE first.
//
// Buffer and searcher have the same entries at the same places: both add at the back, and both move
// older entries up by one. Thus `found_place` is where the host reads.
module head_separation #(
    parameter ENTRIES = 64,     // with WIDTH powers of two
    parameter WIDTH = 8,
    parameter SLOW_BITS = 24,
    parameter BLOCK_BITS = 14,
    parameter LINK_BITS = SLOW_BITS - BLOCK_BITS,
    parameter INDEX_BITS = $clog2(ENTRIES)
) (
    input  wire                    clk,
    input  wire                    rst,
    // The buffer's ports.
    input  wire                    configure,
    input  wire [1:0]              set_split,
    input  wire [3:0]              set_size_word,
    input  wire [127:0]            in_data,
    input  wire                    in_valid,
    input  wire                    in_last,
    output wire                    in_ready,
    output wire [127:0]            slow_data,
    output wire [SLOW_BITS-1:0]    slow_address,
    output wire                    slow_valid,
    input  wire                    slow_ready,
    input  wire [INDEX_BITS+1:0]   host_address,
    output wire [127:0]            host_data,
    input  wire [LINK_BITS-1:0]    host_block,
    output wire [LINK_BITS-1:0]    host_next,
    output wire [INDEX_BITS-1:0]   front,
    output wire [INDEX_BITS:0]     count,
    // The searcher's.
    input  wire                    valid,
    output wire                    ready,
    input  wire [1:0]              command,
    input  wire [41:0]             key,
    input  wire [1:0]              wildcards,
    input  wire [15:0]             pointer,
    output wire                    done,
    output wire                    found,
    output wire [15:0]             found_pointer,
    output wire [INDEX_BITS-1:0]   found_place
);
    localparam INSERT = 2'd0, PROBE = 2'd2;

    reg         is_first;       // the next beat, of its message
    reg [41:0]  arrived_key;
    reg [15:0]  arrived;        // messages that were inserted
    reg         is_waiting;     // a stored message, for the searcher
    reg [1:0]   command_q;

    wire stored;
    wire release_ready;
    wire buffer_ready;
    wire searcher_ready;
    wire searcher_done;

    // The next message would write over the key.
    assign in_ready = buffer_ready && !is_waiting;
    assign ready = searcher_ready && release_ready && !is_waiting;
    wire takes = valid && ready;
    wire inserts = is_waiting && searcher_ready;
    assign done = searcher_done && command_q != INSERT;
    wire removes = done && found && command_q != PROBE;

    lh_buffer #(.ENTRIES(ENTRIES), .SLOW_BITS(SLOW_BITS), .BLOCK_BITS(BLOCK_BITS)) buffer (
        .clk(clk), .rst(rst),
        .configure(configure), .set_split(set_split), .set_size_word(set_size_word),
        .in_data(in_data), .in_valid(in_valid && !is_waiting), .in_last(in_last),
        .in_ready(buffer_ready), .stored(stored),
        .slow_data(slow_data), .slow_address(slow_address), .slow_valid(slow_valid),
        .slow_ready(slow_ready),
        .host_address(host_address), .host_data(host_data),
        .host_block(host_block), .host_next(host_next), .front(front), .count(count),
        .release_entry(removes), .release_ready(release_ready), .release_place(found_place)
    );

    row_searcher #(.ENTRIES(ENTRIES), .WIDTH(WIDTH)) searcher (
        .clk(clk), .rst(rst),
        .valid(inserts || takes), .ready(searcher_ready),
        .command(is_waiting ? INSERT : command),
        .key(is_waiting ? arrived_key : key),
        .wildcards(is_waiting ? 2'b00 : wildcards),
        .pointer(is_waiting ? arrived : pointer),
        .done(searcher_done), .found(found), .found_pointer(found_pointer),
        .found_place(found_place)
    );

    always @(posedge clk) begin
        if (rst) begin
            is_first <= 1'b1;
            is_waiting <= 1'b0;
            arrived <= 16'd0;
            command_q <= INSERT;
        end else begin
            if (in_valid && in_ready) begin
                is_first <= in_last;
                if (is_first) arrived_key <= {in_data[73:64], in_data[63:32]};
            end
            if (stored) is_waiting <= 1'b1;
            if (inserts) begin
                is_waiting <= 1'b0;
                arrived <= arrived + 16'd1;
            end
            if (inserts) command_q <= INSERT;
            if (takes) command_q <= command;
        end
    end

`ifndef SYNTHESIS
    // What must hold in every cycle. A violation ends the simulation.
    reg                 slow_waited;
    reg [127:0]         slow_data_q;
    reg [SLOW_BITS-1:0] slow_address_q;
    reg                 in_waited;
    reg [128:0]         in_q;
    reg                 host_waited;
    reg [59:0]          host_q;
    reg [ENTRIES-1:0]   is_live;
    reg                 is_double;
    reg [INDEX_BITS-1:0] checked_place;
    reg [INDEX_BITS-1:0] checked_row;
    wire [INDEX_BITS:0] searchable = searcher.back - searcher.front;
    integer age;
    always @* begin
        is_live = {ENTRIES{1'b0}};
        is_double = 1'b0;
        for (age = 0; age < ENTRIES; age = age + 1) begin
            checked_place = front + age[INDEX_BITS-1:0];
            checked_row = buffer.rows[checked_place];
            if (age[INDEX_BITS:0] < count) begin
                if (is_live[checked_row]) is_double = 1'b1;
                is_live[checked_row] = 1'b1;
            end
        end
    end
    always @(posedge clk) begin
        slow_waited <= slow_valid && !slow_ready;
        slow_data_q <= slow_data;
        slow_address_q <= slow_address;
        in_waited <= in_valid && !in_ready;
        in_q <= {in_last, in_data};
        host_waited <= valid && !ready;
        host_q <= {command, key, pointer};
        if (!rst) begin
            // What is offered stays as it is until it is taken: by the sides outside, and by ours.
            if (in_waited) assert (in_valid && in_q == {in_last, in_data})
                else $fatal(1, "a beat changed while it waited");
            if (host_waited) assert (valid && host_q == {command, key, pointer})
                else $fatal(1, "a command changed while it waited");
            if (slow_waited) assert (slow_valid && slow_data_q == slow_data &&
                                     slow_address_q == slow_address)
                else $fatal(1, "a beat for slow memory changed while it waited");
            if (valid) assert (command != INSERT) else $fatal(1, "the host inserts");
            if (searcher_done && command_q == INSERT) assert (found)
                else $fatal(1, "a stored message has no room in the searcher");
            if (removes) assert (release_ready) else $fatal(1, "a release was lost");
            if (searcher_ready && release_ready) begin
                // Both have the same places, but for a message that waits for the searcher.
                assert (count == searchable + {{INDEX_BITS{1'b0}}, is_waiting})
                    else $fatal(1, "buffer and searcher count differently");
                assert (front == searcher.front[INDEX_BITS-1:0])
                    else $fatal(1, "buffer and searcher have different places");
                // Every live place has a row of its own, so no two entries are of the same age.
                assert (!is_double) else $fatal(1, "two places have the same row");
                assert ($countones(is_live) == {{31-INDEX_BITS{1'b0}}, count})
                    else $fatal(1, "the count is not that of live rows");
            end
        end
    end
`endif
endmodule

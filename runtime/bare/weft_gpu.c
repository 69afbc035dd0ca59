/* See weft_gpu.h. The rules behind each step are those of docs/spec/host.md and tasks.md. */
#include "weft_gpu.h"

#include "weft_gpu.regs.h"

#define BEGIN 0x1000u        /* of memory */
#define TOKENS 1024u         /* of a warp, that fit into its memory */
#define TASK 128u            /* bytes of a descriptor, and of a place */
#define WORDS (TASK / 4)
#define BLOCK (3u * (WEFT_CHANNELS + 1) + 12u) /* words of a launch's commands */
#define SCRATCHPAD 0xd0000000u

/* Commands, and words of a descriptor and of struct weft_queue. */
#define ACQUIRE 0x00030003u
#define ACQUIRE_AT_LEAST 0x00030103u
#define LAUNCH 0x00020001u
#define WAIT_FOR_IDLE 0x00010002u
#define RELEASE 0x00030004u
#define GRID 0x57000001u
#define STATE 25u
#define FAILED 3u
#define SHADOW 5u
#define ROUND 8u
#define TASK_NEXT 12u
#define QUEUE_WORDS 16u
#define QUEUE_BLOCK 32u

static uint32_t get(const struct weft_gpu *gpu, uint32_t offset)
{
    return gpu->bus.get(gpu->bus.context, offset);
}

static void set(const struct weft_gpu *gpu, uint32_t offset, uint32_t value)
{
    gpu->bus.set(gpu->bus.context, offset, value);
}

/* Words in memory are little-endian, whatever the processor is. */
static void store(const struct weft_gpu *gpu, uint32_t address, const uint32_t *words, uint32_t number)
{
    for (uint32_t n = 0; n < number; n++) {
        uint8_t bytes[4];
        for (unsigned byte = 0; byte < 4; byte++)
            bytes[byte] = (uint8_t)(words[n] >> 8 * byte);
        gpu->bus.write(gpu->bus.context, address + 4 * n, bytes, 4);
    }
}

static uint32_t little(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t load(const struct weft_gpu *gpu, uint32_t address)
{
    uint8_t bytes[4];
    gpu->bus.read(gpu->bus.context, address, bytes, 4);
    return little(bytes);
}

static void clear(const struct weft_gpu *gpu, uint32_t address, uint32_t bytes)
{
    static const uint8_t zeros[64];
    for (uint32_t done = 0; done < bytes;) {
        uint32_t some = bytes - done < sizeof zeros ? bytes - done : (uint32_t)sizeof zeros;
        gpu->bus.write(gpu->bus.context, address + done, zeros, some);
        done += some;
    }
}

/* The next `bytes` of what lies between *next and end, at a multiple of `align`, a power of two. */
static int take(uint32_t *next, uint32_t end, uint32_t bytes, uint32_t align, uint32_t *address)
{
    uint64_t at = ((uint64_t)*next + align - 1) & ~(uint64_t)(align - 1);
    if (at + bytes > end)
        return WEFT_NO_MEMORY;
    *address = (uint32_t)at;
    *next = (uint32_t)at + bytes;
    return WEFT_OK;
}

static int take_private(struct weft_gpu *gpu, uint32_t bytes, uint32_t align, uint32_t *address)
{
    return take(&gpu->next_private, gpu->memory_end, bytes, align, address);
}

int weft_take(struct weft_gpu *gpu, uint32_t bytes, uint32_t *address)
{
    return take(&gpu->next, gpu->top, bytes, 64, address);
}

int weft_open(struct weft_gpu *gpu, const struct weft_bus *bus, const struct weft_layout *layout)
{
    gpu->bus = *bus;
    if (get(gpu, WEFT_GPU_ID) != 0x57475055u)
        return WEFT_NO_GPU;
    uint32_t size = get(gpu, WEFT_GPU_SIZE), sm = get(gpu, WEFT_GPU_SM_SIZE);
    gpu->channels = size & 0xff;
    gpu->sms = size >> 8 & 0xff;
    gpu->warps = sm & 0xff;
    gpu->threads = sm >> 8 & 0xff;
    gpu->scratchpad = (sm >> 24) << 10;
    gpu->local = layout->local ? layout->local : 1024;
    gpu->patience = layout->patience;
    gpu->opened = gpu->spawn = gpu->spawns = 0;
    gpu->streams = NULL;
    gpu->works = NULL;

    /* What is private: tokens and local memory of each SM, the table of tasks, and of each stream a ring, blocks,
     * descriptors and a semaphore. */
    uint32_t places = layout->places ? layout->places : 64;
    uint32_t streams = layout->streams ? layout->streams : gpu->channels;
    uint32_t wide = gpu->threads > 32 ? 16 : 8;
    uint32_t tokens = gpu->warps * TOKENS * wide;
    uint64_t local = (uint64_t)gpu->warps * gpu->threads * gpu->local;
    uint64_t of_stream = WEFT_ENTRIES * (8 + 4 * BLOCK + TASK) + 2 * TASK;
    uint64_t needs = gpu->sms * (tokens + local + 64) + (uint64_t)places * TASK + streams * of_stream + TASK;
    if (gpu->local % 16 || places < 2 || places > 65536 || layout->end % TASK || streams > gpu->channels ||
        layout->spawn > 65536 || needs + 0x10000 + 4 * layout->spawn > layout->end)
        return WEFT_LAYOUT;
    gpu->memory_end = layout->end;
    gpu->thread_end = (layout->end - (uint32_t)needs) / TASK * TASK;
    gpu->next = BEGIN;
    gpu->top = gpu->thread_end;
    gpu->next_private = gpu->thread_end;

    for (uint32_t channel = 0; channel < gpu->channels; channel++)
        set(gpu, WEFT_GPU_CHANNEL_CONTROL(channel), WEFT_GPU_CHANNEL_CONTROL_CLEAR_MASK);
    set(gpu, WEFT_GPU_MEMORY_END, gpu->memory_end);
    set(gpu, WEFT_GPU_THREAD_END, gpu->thread_end);
    set(gpu, WEFT_GPU_SPAWN_NUMBER, 0);
    uint32_t address = 0;
    int result = take_private(gpu, places * TASK, TASK, &address);
    set(gpu, WEFT_GPU_TABLE_BASE, address);
    set(gpu, WEFT_GPU_TABLE_NUMBER, places);
    set(gpu, WEFT_GPU_LIMIT_MAX, layout->limit);
    set(gpu, WEFT_GPU_KILL, 0);
    for (uint32_t n = 0; n < gpu->sms && !result; n++) {
        result = take_private(gpu, (uint32_t)local, 64, &address);
        set(gpu, WEFT_GPU_SM_LOCAL_BASE(n), address);
        set(gpu, WEFT_GPU_SM_LOCAL_LIMIT(n), gpu->local);
        if (!result)
            result = take_private(gpu, tokens, wide, &address);
        set(gpu, WEFT_GPU_SM_TOKEN_BASE(n), address / wide);
        set(gpu, WEFT_GPU_SM_TOKEN_SIZE(n), TOKENS - 1);
    }
    if (layout->spawn) {
        /* Out of the way of programs. */
        gpu->spawns = layout->spawn;
        gpu->top = gpu->spawn = (gpu->thread_end - 4 * gpu->spawns - 4) / 64 * 64;
        clear(gpu, gpu->spawn, 4 * gpu->spawns + 4);
        set(gpu, WEFT_GPU_SPAWN_BASE, gpu->spawn);
        set(gpu, WEFT_GPU_SPAWN_NUMBER, gpu->spawns);
    }
    set(gpu, WEFT_GPU_FAULT, 0);
    set(gpu, WEFT_GPU_TASK_ERROR, 0);
    set(gpu, WEFT_GPU_INTERRUPT, 0xffffffffu);
    return result;
}

int weft_open_stream(struct weft_gpu *gpu, struct weft_stream *stream)
{
    if (gpu->opened == gpu->channels)
        return WEFT_NO_CHANNEL;
    stream->gpu = gpu;
    stream->put = stream->launches = stream->refused = stream->failed = stream->code = stream->place = 0;
    for (unsigned n = 0; n < WEFT_CHANNELS; n++)
        stream->after[n][0] = 0;
    if (take_private(gpu, WEFT_ENTRIES * TASK, TASK, &stream->tasks) ||
        take_private(gpu, WEFT_ENTRIES * 8, 8, &stream->ring) ||
        take_private(gpu, WEFT_ENTRIES * BLOCK * 4, 4, &stream->blocks) ||
        take_private(gpu, 4, 4, &stream->semaphore) || gpu->top - gpu->next < WEFT_ENTRIES * WEFT_ARGUMENTS)
        return WEFT_NO_MEMORY;
    /* Out of the way of programs. */
    gpu->top -= WEFT_ENTRIES * WEFT_ARGUMENTS;
    stream->arguments = gpu->top;
    clear(gpu, stream->semaphore, 4);
    clear(gpu, stream->tasks, WEFT_ENTRIES * TASK);
    stream->channel = gpu->opened++;
    set(gpu, WEFT_GPU_CHANNEL_BASE(stream->channel), stream->ring);
    set(gpu, WEFT_GPU_CHANNEL_NUMBER(stream->channel), WEFT_ENTRIES);
    set(gpu, WEFT_GPU_CHANNEL_GP_GET(stream->channel), 0);
    set(gpu, WEFT_GPU_CHANNEL_GP_PUT(stream->channel), 0);
    set(gpu, WEFT_GPU_CHANNEL_CONTROL(stream->channel), WEFT_GPU_CHANNEL_CONTROL_ENABLE_MASK);
    stream->next = gpu->streams;
    gpu->streams = stream;
    return WEFT_OK;
}

/* Semaphores X and Y of a work stand behind its struct weft_queue, and the first block behind them. */
static uint32_t x_of(const struct weft_work *work)
{
    return work->address + 4 * QUEUE_WORDS;
}

static uint32_t y_of(const struct weft_work *work)
{
    return x_of(work) + 4;
}

static uint32_t rounded(uint32_t bytes)
{
    return (bytes + 63) & ~63u;
}

/* Bytes of the struct with X, Y and the first block; ring; semaphores; blocks: what is behind them is for descriptors. */
static void parts(uint32_t entries, uint32_t bytes[4])
{
    bytes[0] = rounded(4 * QUEUE_WORDS + 64);
    bytes[1] = rounded(8 * entries);
    bytes[2] = rounded(4 * entries);
    bytes[3] = rounded(QUEUE_BLOCK * entries);
}

/* QUEUE-010: also behind an error, when nothing of it runs any more; the round that was is over then. */
static void set_up(struct weft_work *work)
{
    const struct weft_gpu *gpu = work->gpu;
    uint32_t bytes[4], n = work->channel;
    parts(work->entries, bytes);
    uint32_t ring = work->address + bytes[0], semaphores = ring + bytes[1], blocks = semaphores + bytes[2];
    uint32_t queue[QUEUE_WORDS] = {
        ring, work->entries, semaphores, blocks, 1, work->entries - 1, x_of(work), y_of(work), work->round,
        0, blocks + bytes[3], work->tasks, 0, gpu->spawn, gpu->spawns, 0,
    };
    set(gpu, WEFT_GPU_CHANNEL_CONTROL(n), WEFT_GPU_CHANNEL_CONTROL_CLEAR_MASK);
    store(gpu, work->address, queue, QUEUE_WORDS);
    uint32_t first[3] = {ACQUIRE, x_of(work), work->round + 1}, entry[2] = {x_of(work) + 16, 3};
    store(gpu, entry[0], first, 3);
    /* An entry that nobody has written is an error, and none of an earlier round (QUEUE-023). */
    clear(gpu, ring, 8 * work->entries);
    clear(gpu, semaphores, 4 * work->entries);
    store(gpu, ring, entry, 2);
    set(gpu, WEFT_GPU_CHANNEL_BASE(n), ring);
    set(gpu, WEFT_GPU_CHANNEL_NUMBER(n), work->entries);
    set(gpu, WEFT_GPU_CHANNEL_GP_GET(n), 0);
    set(gpu, WEFT_GPU_CHANNEL_GP_PUT(n), work->entries - 1);
    set(gpu, WEFT_GPU_CHANNEL_SHADOW(n), work->address + 4 * SHADOW);
    set(gpu, WEFT_GPU_CHANNEL_LIMIT(n), work->entries - 1);
    set(gpu, WEFT_GPU_CHANNEL_CONTROL(n),
        WEFT_GPU_CHANNEL_CONTROL_ENABLE_MASK | WEFT_GPU_CHANNEL_CONTROL_OWNER_MASK);
    /* The stream that waits for Y goes on from here. */
    uint32_t both[2] = {work->round, work->round};
    store(gpu, x_of(work), both, 2);
}

int weft_open_work(struct weft_gpu *gpu, uint32_t entries, uint32_t tasks, struct weft_work *work)
{
    if (entries < 3 || entries > 65536 || tasks > 1u << 20)
        return WEFT_LAYOUT;
    if (gpu->opened == gpu->channels)
        return WEFT_NO_CHANNEL;
    uint32_t bytes[4];
    parts(entries, bytes);
    int result = weft_take(gpu, bytes[0] + bytes[1] + bytes[2] + bytes[3] + TASK * tasks, &work->address);
    if (result)
        return result;
    work->gpu = gpu;
    work->channel = gpu->opened++;
    work->entries = entries;
    work->tasks = tasks;
    work->round = work->number = 0;
    work->stream = NULL;
    set_up(work);
    work->next = gpu->works;
    gpu->works = work;
    return WEFT_OK;
}

/* Place of a launch in what its stream has for each. */
static uint32_t place_of(uint32_t number)
{
    return (number - 1) % WEFT_ENTRIES;
}

static int is_over(const struct weft_stream *stream, uint32_t number)
{
    return (int32_t)(load(stream->gpu, stream->semaphore) - number) >= 0;
}

/* A channel has stopped, or work of this launch: it is over, and this is why. */
static void refuse(struct weft_stream *stream, uint32_t number, uint32_t channel)
{
    const struct weft_gpu *gpu = stream->gpu;
    stream->refused |= 1u << place_of(number);
    stream->code = get(gpu, WEFT_GPU_CHANNEL_ERROR(channel)) & WEFT_GPU_CHANNEL_ERROR_CODE_MASK;
    stream->place = get(gpu, WEFT_GPU_CHANNEL_ERROR_ADDRESS(channel));
}

/* A task that was launched with a descriptor of the work has failed. */
static int has_failed(const struct weft_work *work)
{
    uint32_t bytes[4], used = load(work->gpu, work->address + 4 * TASK_NEXT);
    parts(work->entries, bytes);
    uint32_t tasks = work->address + bytes[0] + bytes[1] + bytes[2] + bytes[3];
    for (uint32_t n = 0; n < used && n < work->tasks; n++)
        if (load(work->gpu, tasks + TASK * n + 4 * STATE) == FAILED)
            return 1;
    return 0;
}

/* The round of a work is over: what its tasks have come to is that of their launch. */
static void settle(struct weft_work *work)
{
    if (!work->stream || !is_over(work->stream, work->number))
        return;
    if (has_failed(work))
        work->stream->failed |= 1u << place_of(work->number);
    work->stream = NULL;
}

/* HOST-081: a channel has stopped at a launch that is not taken. That one is over, and the next ones go on. */
static void leave_out(struct weft_stream *stream)
{
    const struct weft_gpu *gpu = stream->gpu;
    uint32_t error = get(gpu, WEFT_GPU_CHANNEL_ERROR(stream->channel));
    if (!(error & WEFT_GPU_CHANNEL_ERROR_VALID_MASK))
        return;
    uint32_t entry = get(gpu, WEFT_GPU_CHANNEL_ERROR_ENTRY(stream->channel));
    uint32_t behind = (stream->put + WEFT_ENTRIES - entry) % WEFT_ENTRIES;
    uint32_t refused = stream->launches + 1 - behind;
    refuse(stream, refused, stream->channel);
    store(gpu, stream->semaphore, &refused, 1);
    for (struct weft_work *work = gpu->works; work; work = work->next)
        if (work->stream == stream && work->number == refused) {
            work->stream = NULL;
            set_up(work);
        }
    set(gpu, WEFT_GPU_CHANNEL_CONTROL(stream->channel), WEFT_GPU_CHANNEL_CONTROL_CLEAR_MASK);
    set(gpu, WEFT_GPU_CHANNEL_GP_GET(stream->channel), (entry + 1) % WEFT_ENTRIES);
    set(gpu, WEFT_GPU_CHANNEL_CONTROL(stream->channel), WEFT_GPU_CHANNEL_CONTROL_ENABLE_MASK);
}

/* What has stopped goes on: any stream, as others may wait for it, and any ring of threads when nothing runs any more. */
static void go_on(struct weft_gpu *gpu)
{
    uint32_t status = get(gpu, WEFT_GPU_STATUS);
    if (!(status & WEFT_GPU_STATUS_CHANNEL_ERROR_MASK))
        return;
    for (struct weft_stream *stream = gpu->streams; stream; stream = stream->next)
        leave_out(stream);
    for (struct weft_work *work = gpu->works; work && !(status & WEFT_GPU_STATUS_BUSY_MASK); work = work->next)
        if (get(gpu, WEFT_GPU_CHANNEL_ERROR(work->channel)) & WEFT_GPU_CHANNEL_ERROR_VALID_MASK) {
            if (work->stream)
                refuse(work->stream, work->number, work->channel);
            set_up(work);
        }
}

static uint32_t one_at_least(uint32_t number)
{
    return number ? number : 1;
}

int weft_after(struct weft_stream *stream, const struct weft_stream *other, uint32_t number)
{
    if (!number || (int32_t)(other->launches - number) < 0 || other->gpu != stream->gpu)
        return WEFT_NO_LAUNCH;
    uint32_t *after = stream->after[other->channel];
    if (!after[0] || (int32_t)(number - after[1]) > 0)
        after[1] = number;
    after[0] = other->semaphore;
    return WEFT_OK;
}

/* `work`: whose ring the threads fill, or none. */
static int launch(struct weft_stream *stream, const struct weft_program *program, const struct weft_grid *grid,
                  struct weft_work *work, uint32_t open, uint32_t *number)
{
    struct weft_gpu *gpu = stream->gpu;
    uint32_t next = stream->launches + 1, place = place_of(next), entry = (stream->put + 1) % WEFT_ENTRIES;
    if (grid->arguments && grid->bytes > WEFT_ARGUMENTS)
        return WEFT_TOO_LARGE;
    go_on(gpu);
    if (work)
        settle(work);
    /* The last entry of the ring is always free (HOST-011), and the descriptor of so many launches ago is over. */
    if ((work && work->stream) || (next > WEFT_ENTRIES && !is_over(stream, next - WEFT_ENTRIES)) ||
        get(gpu, WEFT_GPU_CHANNEL_GP_GET(stream->channel)) == entry)
        return WEFT_FULL;

    uint32_t arguments = grid->address;
    if (grid->arguments) {
        arguments = stream->arguments + place * WEFT_ARGUMENTS;
        gpu->bus.write(gpu->bus.context, arguments, grid->arguments, grid->bytes);
    }
    stream->refused &= ~(1u << place);
    stream->failed &= ~(1u << place);
    uint32_t task = stream->tasks + place * TASK;
    uint32_t words[WORDS] = {
        GRID | (grid->interrupt ? 8u : 0u) | (grid->level & 15u) << 4,
        grid->kernel,
        grid->ctas[0],
        one_at_least(grid->ctas[1]),
        one_at_least(grid->ctas[2]),
        grid->threads[0],
        one_at_least(grid->threads[1]),
        one_at_least(grid->threads[2]),
        arguments,
        (grid->scratchpad + (program ? program->scratchpad : 0) + 3u) & ~3u,
        gpu->local,
        1u << 16 | 1024u, /* a yield with each chance, one forced after 1,024 instructions */
        work ? 0 : stream->semaphore,
        work ? 0 : next,
        0,
        grid->limit,
    };
    store(gpu, task, words, WORDS);
    /* Behind the launch before, and those of others. */
    uint32_t block[BLOCK] = {ACQUIRE_AT_LEAST, stream->semaphore, next - 1}, length = 3;
    for (unsigned n = 0; n < WEFT_CHANNELS; n++) {
        uint32_t *after = stream->after[n];
        if (after[0]) {
            block[length++] = ACQUIRE_AT_LEAST;
            block[length++] = after[0];
            block[length++] = after[1];
            after[0] = 0;
        }
    }
    block[length++] = LAUNCH;
    block[length++] = task;
    if (work) {
        /* QUEUE-011 */
        uint32_t zero = 0, round[2] = {++work->round, open};
        store(gpu, work->address + 4 * ROUND, round, 2);
        store(gpu, work->address + 4 * TASK_NEXT, &zero, 1);
        const uint32_t hand_over[10] = {
            WAIT_FOR_IDLE, RELEASE, x_of(work), round[0], ACQUIRE, y_of(work), round[0],
            RELEASE, stream->semaphore, next,
        };
        for (unsigned n = 0; n < 10; n++)
            block[length++] = hand_over[n];
        work->stream = stream;
        work->number = next;
    }
    uint32_t at = stream->blocks + 4 * BLOCK * stream->put;
    store(gpu, at, block, length);
    uint32_t item[2] = {at, length};
    store(gpu, stream->ring + 8 * stream->put, item, 2);
    stream->put = entry;
    stream->launches = next;
    if (number)
        *number = next;
    set(gpu, WEFT_GPU_CHANNEL_GP_PUT(stream->channel), entry);
    return WEFT_OK;
}

int weft_launch(struct weft_stream *stream, const struct weft_program *program, const struct weft_grid *grid,
                uint32_t *number)
{
    return launch(stream, program, grid, NULL, 0, number);
}

int weft_launch_with(struct weft_stream *stream, const struct weft_program *program, const struct weft_grid *grid,
                     struct weft_work *work, uint32_t open, uint32_t *number)
{
    return launch(stream, program, grid, work, open, number);
}

int weft_end_work(struct weft_work *work)
{
    go_on(work->gpu);
    settle(work);
    if (!work->stream)
        return WEFT_OK;
    if (get(work->gpu, WEFT_GPU_STATUS) & WEFT_GPU_STATUS_BUSY_MASK)
        return WEFT_RUNS;
    work->stream->failed |= 1u << place_of(work->number);
    work->stream = NULL;
    set_up(work);
    return WEFT_OK;
}

int weft_look(struct weft_stream *stream, uint32_t number)
{
    if (!number || (int32_t)(stream->launches - number) < 0)
        return WEFT_NO_LAUNCH;
    go_on(stream->gpu);
    if (!is_over(stream, number))
        return WEFT_RUNS;
    for (struct weft_work *work = stream->gpu->works; work; work = work->next)
        settle(work);
    if (stream->launches - number >= WEFT_ENTRIES)
        return WEFT_OK;
    if (stream->refused >> place_of(number) & 1u)
        return WEFT_REFUSED;
    if (stream->failed >> place_of(number) & 1u)
        return WEFT_FAILED;
    /* A CTA has failed (TASK-061). */
    uint32_t state = load(stream->gpu, stream->tasks + place_of(number) * TASK + 4 * STATE);
    return state == FAILED ? WEFT_FAILED : WEFT_OK;
}

int weft_wait(struct weft_stream *stream, uint32_t number)
{
    for (uint32_t looks = 0;; looks++) {
        int result = weft_look(stream, number);
        if (result != WEFT_RUNS)
            return result;
        if (looks + 1 == stream->gpu->patience)
            return WEFT_IMPATIENT;
    }
}

int weft_kill(struct weft_stream *stream, uint32_t number)
{
    int result = weft_look(stream, number);
    if (result != WEFT_RUNS)
        return result;
    set(stream->gpu, WEFT_GPU_KILL, stream->tasks + place_of(number) * TASK);
    result = weft_wait(stream, number);
    set(stream->gpu, WEFT_GPU_KILL, 0);
    return result;
}

int weft_fault(struct weft_gpu *gpu, struct weft_fault *fault)
{
    uint32_t word = get(gpu, WEFT_GPU_FAULT);
    if (!(word & WEFT_GPU_FAULT_VALID_MASK))
        return 0;
    fault->sm = (word & WEFT_GPU_FAULT_SM_MASK) >> WEFT_GPU_FAULT_SM_SHIFT;
    fault->warp = (word & WEFT_GPU_FAULT_WARP_MASK) >> WEFT_GPU_FAULT_WARP_SHIFT;
    fault->thread = (word & WEFT_GPU_FAULT_THREAD_MASK) >> WEFT_GPU_FAULT_THREAD_SHIFT;
    fault->cause = (word & WEFT_GPU_FAULT_CAUSE_MASK) >> WEFT_GPU_FAULT_CAUSE_SHIFT;
    fault->pc = get(gpu, WEFT_GPU_FAULT_PC);
    fault->address = get(gpu, WEFT_GPU_FAULT_ADDRESS);
    fault->cta = get(gpu, WEFT_GPU_FAULT_CTA);
    fault->task = get(gpu, WEFT_GPU_FAULT_TASK);
    set(gpu, WEFT_GPU_FAULT, 0);
    return 1;
}

/* ---- ELF: 32 bits, little-endian, RISC-V, executable. */

/* The structure number `index` of a table, if the file has all of it. */
static const uint8_t *element(const struct weft_program *program, uint32_t offset, uint32_t size, uint32_t index)
{
    uint64_t at = (uint64_t)offset + (uint64_t)size * index;
    return at + size <= program->bytes ? program->file + at : NULL;
}

static uint32_t half(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static int is_executable(const struct weft_program *program)
{
    static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    if (program->bytes < 52)
        return 0;
    for (unsigned n = 0; n < sizeof magic; n++)
        if (program->file[n] != magic[n])
            return 0;
    return half(program->file + 16) == 2 && half(program->file + 18) == 243 && half(program->file + 42) >= 32;
}

/* Segment `index` that is loaded: 1; 0: another kind; -1: the file ends before it does. */
static int segment(const struct weft_program *program, uint32_t index, const uint8_t **bytes, uint32_t *address,
                   uint32_t *in_file, uint32_t *in_memory)
{
    const uint8_t *header =
        element(program, little(program->file + 28), half(program->file + 42), index);
    if (!header)
        return -1;
    if (little(header) != 1)
        return 0;
    uint32_t offset = little(header + 4);
    *address = little(header + 8);
    *in_file = little(header + 16);
    *in_memory = little(header + 20);
    if ((uint64_t)offset + *in_file > program->bytes || *in_file > *in_memory)
        return -1;
    *bytes = program->file + offset;
    return *in_memory != 0;
}

/* In which sections the symbols are, and their names. */
static int symbols(const struct weft_program *program, const uint8_t **table, const uint8_t **names)
{
    uint32_t number = half(program->file + 48), size = half(program->file + 46);
    uint32_t offset = little(program->file + 32);
    for (uint32_t n = 0; n < number && size >= 40; n++) {
        *table = element(program, offset, size, n);
        if (*table && little(*table + 4) == 2) {
            *names = element(program, offset, size, little(*table + 24));
            return *names != NULL;
        }
    }
    return 0;
}

/* Whether the name at this place of the file's names is this one. */
static int is_called(const struct weft_program *program, const uint8_t *names, uint32_t at, const char *name)
{
    uint64_t first = (uint64_t)little(names + 16) + at;
    for (uint64_t n = 0; first + n < program->bytes && at + n < little(names + 20); n++) {
        if (program->file[first + n] != (uint8_t)name[n])
            return 0;
        if (!name[n])
            return 1;
    }
    return 0;
}

int weft_find(const struct weft_program *program, const char *name, uint32_t *address)
{
    const uint8_t *table, *names;
    if (!symbols(program, &table, &names))
        return WEFT_NO_SYMBOL;
    for (uint32_t n = 0; n < little(table + 20) / 16; n++) {
        const uint8_t *symbol = element(program, little(table + 16), 16, n);
        /* Not one of another file. */
        if (symbol && half(symbol + 14) && is_called(program, names, little(symbol), name)) {
            *address = little(symbol + 4);
            return WEFT_OK;
        }
    }
    return WEFT_NO_SYMBOL;
}

/* Four words that the file has for an address. */
static int words_of(const struct weft_program *program, uint32_t wanted, uint32_t words[4])
{
    const uint8_t *from;
    uint32_t address, in_file, in_memory;
    for (uint32_t n = 0; n < half(program->file + 44); n++)
        if (segment(program, n, &from, &address, &in_file, &in_memory) == 1 && wanted >= address &&
            (uint64_t)wanted + 16 <= (uint64_t)address + in_file) {
            for (unsigned k = 0; k < 4; k++)
                words[k] = little(from + (wanted - address) + 4 * k);
            return 1;
        }
    return 0;
}

void weft_forget_printed(const struct weft_gpu *gpu, const struct weft_program *program)
{
    clear(gpu, program->console, program->console_bytes);
}

int weft_load(struct weft_stream *stream, const void *elf, size_t bytes, struct weft_program *program)
{
    struct weft_gpu *gpu = stream->gpu;
    program->file = elf;
    program->bytes = bytes;
    program->scratchpad = program->console = program->console_bytes = 0;
    if (!is_executable(program))
        return WEFT_NO_ELF;
    /* Nothing is written before all is known to fit. */
    uint32_t number = half(program->file + 44), end = gpu->next;
    const uint8_t *from;
    uint32_t address, in_file, in_memory;
    for (uint32_t n = 0; n < number; n++) {
        int kind = segment(program, n, &from, &address, &in_file, &in_memory);
        if (kind < 0)
            return WEFT_NO_ELF;
        if (!kind)
            continue;
        if (address < gpu->next || (uint64_t)address + in_memory > gpu->top)
            return WEFT_OCCUPIED;
        if (address + in_memory > end)
            end = address + in_memory;
    }
    for (uint32_t n = 0; n < number; n++) {
        if (segment(program, n, &from, &address, &in_file, &in_memory) != 1)
            continue;
        gpu->bus.write(gpu->bus.context, address, from, in_file);
        clear(gpu, address + in_file, in_memory - in_file);
    }
    gpu->next = end;
    uint32_t shared, first, last, head[4];
    if (!weft_find(program, "__weft_shared_end", &shared) && shared > SCRATCHPAD)
        program->scratchpad = shared - SCRATCHPAD;
    /* CC-020; as it is in the file: what a kernel writes over it does no harm. */
    if (!weft_find(program, "weft_console", &first) && words_of(program, first, head) && head[0] == 0x54464557u &&
        head[1] == 2 && head[2] < 1u << 28 && (uint64_t)head[3] + 4 * head[2] <= end) {
        program->console = head[3];
        program->console_bytes = 4 * head[2];
    }
    struct weft_grid constructors = {.ctas = {1}, .threads = {1}};
    if (weft_find(program, "__init_array_start", &first) || weft_find(program, "__init_array_end", &last) ||
        first >= last || weft_find(program, "__weft_construct", &constructors.kernel))
        return WEFT_OK;
    uint32_t launched;
    int result = weft_launch(stream, program, &constructors, &launched);
    return result ? result : weft_wait(stream, launched);
}

const char *weft_text(int result)
{
    static const char *const texts[] = {
        "it is done",
        "there is no weft_gpu: ID is not 0x57475055",
        "the layout has no room for what is private, or a number in it is not allowed",
        "there is no more memory",
        "all channels have streams",
        "this is no 32-bit RISC-V executable, or its end is missing",
        "the program was linked to memory that is taken, or is not there",
        "the program has no such symbol",
        "as many launches as a stream may have are not over",
        "the arguments are too long",
        "it is not over",
        "it is not over, and it was not waited for any longer",
        "a thread had a fault, or it was killed",
        "the GPU has not taken the launch",
        "there is no launch of this number",
    };
    return result >= 0 && (unsigned)result < sizeof texts / sizeof *texts ? texts[result] : "no result of this driver";
}

/*
 * maps.c - records the program's address space: modules and mappings.
 *
 * At the start they are read from /proc/self/maps, later they follow from the program's system
 * calls. A module is a file whose code is mapped; /proc/self/maps is read again when code is
 * mapped.
 */
#include "maps/maps.h"

#include "heap/heap.h"
#include "interpose/interpose.h"
#include "link.h"
#include "mapped.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "tracer.h"
#include "tracer/block_descriptions.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

enum { AT_HERE = -100 }; /* AT_FDCWD */

/* --- modules --- */

enum { MOST_MODULES = 8192 };

static struct ms_module *modules; /* unmapped ones have size 0, and their entries are reused */
static uint32_t module_count, module_numbers;
static uint32_t stay; /* the first so many existed when the program began */

/* Needs no lock: if the end is unchanged, the entry was not reused meanwhile. */
static bool holds(const struct ms_module *m, uint64_t pc)
{
	uint64_t end = __atomic_load_n(&m->end, __ATOMIC_ACQUIRE);

	return pc < end && pc >= __atomic_load_n(&m->start, __ATOMIC_ACQUIRE) &&
	       end == __atomic_load_n(&m->end, __ATOMIC_ACQUIRE);
}

const struct ms_module *ms_maps_module(uint64_t pc)
{
	uint32_t n = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if (holds(&modules[i], pc))
			return &modules[i];
	return NULL;
}

/* NULL: the table is full. */
static struct ms_module *free_place(void)
{
	for (uint32_t i = stay; i < module_count; i++)
		if (modules[i].end == 0)
			return &modules[i];
	return module_count < MOST_MODULES ? &modules[module_count] : NULL;
}

/* Finds the unwind tables by the program headers, which are mapped at the file's start. */
static void read_headers(struct ms_module *m, const struct ms_mapped_line *first)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)first->start;
	const Elf64_Phdr *table = NULL, *load = NULL;

	if (first->offset != 0 || !ms_same(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_phoff + head->e_phnum * sizeof(Elf64_Phdr) > first->end - first->start)
		return;
	const Elf64_Phdr *p = (const Elf64_Phdr *)(first->start + head->e_phoff);
	for (uint32_t i = 0; i < head->e_phnum; i++) {
		if (p[i].p_type == PT_LOAD && load == NULL)
			load = &p[i];
		if (p[i].p_type == PT_GNU_EH_FRAME)
			table = &p[i];
	}
	if (load == NULL)
		return;
	m->bias = first->start - (load->p_vaddr & ~UINT64_C(4095));
	ms_hook_notes(m->bias, p, head->e_phnum);
	if (table != NULL)
		m->frame_table = (const uint8_t *)(m->bias + table->p_vaddr);
}

static bool is_own(const struct ms_mapped_line *line)
{
	uint64_t here = (uint64_t)ms_wrap_start;

	return here >= line->start && here < line->end;
}

/* Calls of private allocators are observed in traced code only. */
static void look_for_allocators(const struct ms_module *m, const struct ms_mapped_line *line)
{
	static char path[MS_WIRE_MAX_TEXT + 1]; /* under the lock; stacks may be small */

	if (ms_config.idle)
		return;
	ms_copy(path, line->path, line->path_bytes);
	path[line->path_bytes] = '\0';
	ms_own_look(m, path);
}

/* Other processes that have the file open can change what is mapped here. */
static bool may_change(const struct ms_mapped_line *line)
{
	return line->write || line->shared || ms_mapped_has_name(line, "/memfd:");
}

/* Stores the end last: until then lookups do not find the module. */
static void put_module(struct ms_module *place, struct ms_module m)
{
	uint64_t end = m.end;

	m.end = 0;
	*place = m;
	__atomic_store_n(&place->end, end, __ATOMIC_RELEASE);
	if (place == &modules[module_count])
		__atomic_store_n(&module_count, module_count + 1, __ATOMIC_RELEASE);
}

/* first: where the file's start is mapped, or the line itself. */
static void add_module(struct ms_thread *t, const struct ms_mapped_line *line,
		       const struct ms_mapped_line *first)
{
	struct ms_module *place = free_place();
	struct ms_module m = { .start = line->start,
			       .end = line->end,
			       .file = line->file,
			       .number = UINT32_MAX,
			       .own = is_own(line) };
	struct ms_wire_module wire = { line->offset, line->start, line->end - line->start,
				       line->path_bytes, 0 };
	bool is_file = line->path[0] == '/';

	if (place == NULL || may_change(line))
		return;
	read_headers(&m, first);
	if (is_file && !m.own) {
		m.number = module_numbers++;
		look_for_allocators(&m, line);
		ms_lane_event(t, MS_WIRE_MODULE, m.number, &wire, sizeof(wire) / 8, line->path,
			      line->path_bytes);
	}
	put_module(place, m);
}

/* Adds the code of the file of `like` that is not known yet. */
static void add_modules_of(struct ms_thread *t, const struct ms_mapped *text,
			   const struct ms_mapped_line *like)
{
	struct ms_mapped_line line, first = *like;
	const char *end = text->at + text->n;

	for (const char *at = text->at; (at = ms_mapped_next(at, end, &line)) != NULL;) {
		if (!ms_mapped_same_file(&line, like))
			continue;
		if (line.offset == 0)
			first = line;
		if (line.code && ms_maps_module(line.start) == NULL)
			add_module(t, &line, &first);
	}
}

/* In the order of the loader, which is the order of their thread-local storage. */
static void add_modules(struct ms_thread *t, const struct ms_mapped *text)
{
	struct ms_mapped_line line;
	const char *end = text->at + text->n;

	for (const struct ms_link *link = ms_link_first(); link != NULL; link = link->next)
		for (const char *at = text->at; (at = ms_mapped_next(at, end, &line)) != NULL;)
			if ((uint64_t)link->dynamic - line.start < line.end - line.start &&
			    line.path_bytes > 0)
				add_modules_of(t, text, &line);
	for (const char *at = text->at; (at = ms_mapped_next(at, end, &line)) != NULL;)
		if (line.code && (line.path[0] == '/' || ms_mapped_has_name(&line, "[vdso]")) &&
		    ms_maps_module(line.start) == NULL)
			add_modules_of(t, text, &line);
}

static void remove_module(struct ms_thread *t, struct ms_module *m)
{
	ms_own_gone(m->start, m->end - m->start);
	__atomic_store_n(&m->end, 0, __ATOMIC_RELEASE);
	if (m->number != UINT32_MAX)
		ms_lane_event(t, MS_WIRE_MODULE_GONE, m->number, NULL, 0, NULL, 0);
	ms_block_forget(); /* code that is mapped here next is another module's */
	ms_unwind_forget();
}

static void remove_modules(struct ms_thread *t, uint64_t start, uint64_t size)
{
	for (uint32_t i = 0; i < module_count; i++)
		if (modules[i].end != 0 && modules[i].start - start < size)
			remove_module(t, &modules[i]);
}

static void see_modules(const struct ms_mapped *text)
{
	const char *end = text->at + text->n;
	struct ms_mapped_line line;

	for (uint32_t i = 0; i < module_count; i++)
		modules[i].seen = false;
	for (const char *at = text->at; (at = ms_mapped_next(at, end, &line)) != NULL;)
		for (uint32_t i = 0; i < module_count; i++)
			if (modules[i].start - line.start < line.end - line.start &&
			    modules[i].file == line.file)
				modules[i].seen = true;
}

static void remove_gone(struct ms_thread *t, const struct ms_mapped *text)
{
	see_modules(text);
	for (uint32_t i = 0; i < module_count; i++) {
		struct ms_module *m = &modules[i];

		if (m->seen || m->end == 0)
			continue;
		if (!ms_config.idle)
			ms_tracer_forget(m->start, m->end - m->start);
		remove_module(t, m);
	}
}

/* While another thread unloads a module, what is read of it may vanish: postponed to the next
 * call. */
static void look_for_modules(struct ms_thread *t)
{
	struct ms_mapped text;

	if (ms_unloading_others(t))
		return;
	if (ms_mapped_read(&text)) {
		remove_gone(t, &text);
		add_modules(t, &text);
	}
	ms_mapped_free(&text);
}

void ms_maps_look(struct ms_thread *t)
{
	struct ms_mapped text;

	ms_lock(MS_LOCK_MAPS);
	if (module_count > stay) {
		if (ms_mapped_read(&text))
			remove_gone(t, &text);
		ms_mapped_free(&text);
	}
	ms_unlock(MS_LOCK_MAPS);
}

/* Code that is never traced, and code that the program has made writable. Entries of unmapped
 * modules are harmless. */
enum { MOST_PARTS = 256 };
static struct part {
	uint64_t start, end;
} alone[MOST_PARTS], written[MOST_PARTS];
static uint32_t alone_count, written_count;

void ms_maps_leave_alone(uint64_t start, uint64_t bytes)
{
	if (alone_count == MOST_PARTS || bytes == 0)
		return;
	alone[alone_count] = (struct part){ start, start + bytes };
	__atomic_store_n(&alone_count, alone_count + 1, __ATOMIC_RELEASE);
}

/* Reduces [*start, *end) to the range around pc outside of all parts; false: pc is in one. */
static bool cut(const struct part *parts, const uint32_t *count, uint64_t pc, uint64_t *start,
		uint64_t *end)
{
	uint32_t n = __atomic_load_n(count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++) {
		if (pc >= parts[i].start && pc < parts[i].end)
			return false;
		if (parts[i].start > pc && parts[i].start < *end)
			*end = parts[i].start;
		if (parts[i].end <= pc && parts[i].end > *start)
			*start = parts[i].end;
	}
	return true;
}

bool ms_maps_is_stable(uint64_t pc, uint64_t *start, uint64_t *end)
{
	const struct ms_module *m = ms_maps_module(pc);

	uint64_t from = m != NULL ? m->start : 0, to = m != NULL ? m->end : 0;
	bool stable = m != NULL && cut(alone, &alone_count, pc, &from, &to) &&
		      cut(written, &written_count, pc, &from, &to);

	/* A caller that caches the range must not cache a whole module. */
	*start = stable ? from : 0;
	*end = stable ? to : 0;
	return stable;
}

bool ms_maps_has_code(uint64_t start, uint64_t size)
{
	uint32_t n = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if (modules[i].start < start + size && modules[i].end > start)
			return true;
	return false;
}

void ms_maps_written(uint64_t start, uint64_t size)
{
	struct part *last = &written[MOST_PARTS - 1];
	bool known = false;

	ms_lock(MS_LOCK_MAPS);
	for (uint32_t i = 0; i < written_count && !known; i++)
		known = start >= written[i].start && start + size <= written[i].end;
	if (!known && written_count < MOST_PARTS) {
		written[written_count] = (struct part){ start, start + size };
		__atomic_store_n(&written_count, written_count + 1, __ATOMIC_RELEASE);
	} else if (!known) { /* table full: the last part covers too much */
		last->start = start < last->start ? start : last->start;
		last->end = start + size > last->end ? start + size : last->end;
	}
	ms_unlock(MS_LOCK_MAPS);
}

bool ms_maps_code(uint64_t pc, uint64_t *start, uint64_t *end)
{
	struct ms_mapped text;
	struct ms_mapped_line line;
	bool found = false;

	*start = 0;
	*end = UINT64_MAX;
	if (!cut(alone, &alone_count, pc, start, end))
		return false;
	if (ms_mapped_read(&text))
		for (const char *at = text.at;
		     !found && (at = ms_mapped_next(at, text.at + text.n, &line)) != NULL;)
			found = line.code && pc >= line.start && pc < line.end;
	ms_mapped_free(&text);
	if (!found)
		return false;
	*start = line.start > *start ? line.start : *start;
	*end = line.end < *end ? line.end : *end;
	return true;
}

/* --- mappings --- */

uint64_t ms_maps_heap_end; /* brk */

static void send_map(struct ms_thread *t, uint64_t address, uint64_t size, uint32_t kind,
		     uint32_t path, const char *name, uint32_t bytes)
{
	struct ms_wire_map map = { address, size, kind, bytes };

	ms_lane_event(t, MS_WIRE_MAP, path, &map, sizeof(map) / 8, name, bytes);
}

/* Records a mapping that existed before the runtime. */
static void tell_line(struct ms_thread *t, const struct ms_mapped_line *line)
{
	uint64_t size = line->end - line->start;

	if (ms_mapped_has_name(line, "[stack]") || ms_mapped_has_name(line, "[vsyscall]") ||
	    ms_mapped_has_name(line, "/memfd:memspy-"))
		return;
	if (line->path[0] == '/' && line->path_bytes > 0)
		send_map(t, line->start, size, MS_WIRE_MAP_FILE, MS_WIRE_NO_PATH, line->path,
			 line->path_bytes);
	else
		send_map(t, line->start, size,
			 ms_mapped_has_name(line, "[heap]") ? MS_WIRE_MAP_HEAP : MS_WIRE_MAP_START,
			 MS_WIRE_NO_PATH, NULL, 0);
}

uint64_t ms_maps_stack_limit(void)
{
	enum { STACK = 3, USUAL = 8 << 20, MOST = 1 << 30 };
	static uint64_t known; /* the C library reads it once, too */
	uint64_t limit[2] = { 0, 0 };

	if (known == 0) {
		ms_sys(__NR_prlimit64, 0, STACK, 0, (long)limit, 0, 0);
		known = limit[0] == 0 || limit[0] > MOST ? USUAL : limit[0];
	}
	return known;
}

static void find_stack(struct ms_thread *t, const struct ms_mapped_line *line)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);

	if (here >= line->start && here < line->end) {
		t->stack = line->start;
		t->stack_end = line->end;
		if (ms_mapped_has_name(line, "[stack]"))
			t->stack = line->end - ms_maps_stack_limit();
	}
}

void ms_maps_find_stack(struct ms_thread *t)
{
	struct ms_mapped text;
	struct ms_mapped_line line;

	if (ms_mapped_read(&text))
		for (const char *at = text.at;
		     (at = ms_mapped_next(at, text.at + text.n, &line)) != NULL;)
			find_stack(t, &line);
	ms_mapped_free(&text);
}

void ms_maps_start(struct ms_thread *t)
{
	static bool began; /* a forked child's stream begins later */
	struct ms_mapped text;
	struct ms_mapped_line line;

	if (modules == NULL)
		modules = ms_pages(MOST_MODULES * sizeof(*modules));
	if (modules == NULL || !ms_mapped_read(&text))
		return;
	const char *end = text.at + text.n;
	bool known = t->stack_end != 0; /* a forked child's is unchanged; we run on our own */
	for (const char *at = text.at; (at = ms_mapped_next(at, end, &line)) != NULL;) {
		if (!known)
			find_stack(t, &line);
		tell_line(t, &line);
	}
	add_modules(t, &text);
	stay = began || ms_config.attached ? 0 : module_count;
	began = true;
	ms_mapped_free(&text);
	ms_maps_heap_end = (uint64_t)ms_sys(__NR_brk, 0, 0, 0, 0, 0, 0);
}

const struct ms_module *ms_maps_find(struct ms_thread *t, uint64_t pc)
{
	static uint32_t unknown;
	const struct ms_module *m = ms_maps_module(pc);
	uint32_t n;

	if (m != NULL)
		return m;
	n = __atomic_add_fetch(&unknown, 1, __ATOMIC_SEQ_CST);
	if (ms_lock_is_abandoned())
		return NULL;
	if ((n & (n - 1)) != 0) /* ever fewer attempts: the program may generate code */
		return NULL;
	ms_lock(MS_LOCK_MAPS);
	look_for_modules(t);
	ms_unlock(MS_LOCK_MAPS);
	m = ms_maps_module(pc);
	if (m != NULL)
		__atomic_store_n(&unknown, 0, __ATOMIC_SEQ_CST);
	return m;
}

/* Numbers start again. */
void ms_maps_restart(void)
{
	module_count = 0;
	module_numbers = 0;
	ms_unwind_forget();
}

/* The name of the file of a descriptor; 0: none. */
static uint32_t name_of(int fd, char *name)
{
	char link[40] = "/proc/self/fd/";

	link[14 + ms_put_number(link + 14, (uint64_t)fd, 10)] = '\0';
	long got = ms_sys(__NR_readlinkat, AT_HERE, (long)link, (long)name, MS_WIRE_MAX_TEXT, 0, 0);
	return got > 0 ? (uint32_t)got : 0;
}

/* Memory that the program itself has mapped is named by the call path. */
void ms_maps_new(struct ms_thread *t, uint64_t address, uint64_t size, int fd, bool code,
		 const struct ms_frame *frame)
{
	static char name[MS_WIRE_MAX_TEXT]; /* under the lock; stacks may be small */
	uint32_t bytes;

	ms_lock(MS_LOCK_MAPS);
	bytes = fd >= 0 ? name_of(fd, name) : 0;
	remove_modules(t, address, size);
	if (fd >= 0)
		send_map(t, address, size, MS_WIRE_MAP_FILE, MS_WIRE_NO_PATH, name, bytes);
	else if (t->in_heap || ms_own_inside(t, frame->sp))
		send_map(t, address, size, MS_WIRE_MAP_HEAP, MS_WIRE_NO_PATH, NULL, 0);
	else
		send_map(t, address, size, MS_WIRE_MAP_ANON, ms_path_here(t, frame, frame->called),
			 NULL, 0);
	if (code && fd >= 0)
		look_for_modules(t);
	ms_unlock(MS_LOCK_MAPS);
}

static void gone(struct ms_thread *t, uint64_t address, uint64_t size)
{
	uint64_t words[2] = { address, size };

	remove_modules(t, address, size);
	ms_lane_event(t, MS_WIRE_UNMAP, 0, words, 2, NULL, 0);
}

void ms_maps_gone(struct ms_thread *t, uint64_t address, uint64_t size)
{
	ms_lock(MS_LOCK_MAPS);
	gone(t, address, size);
	ms_unlock(MS_LOCK_MAPS);
}

/* Publishes the new end after it was recorded: otherwise blocks of other threads above the old end
 * would become the allocator's again. */
static void end_heap(struct ms_thread *t, uint64_t end)
{
	uint64_t was = ms_maps_heap_end;

	if (end > was)
		send_map(t, was, end - was, MS_WIRE_MAP_HEAP, MS_WIRE_NO_PATH, NULL, 0);
	else if (end < was)
		gone(t, end, was - end);
	__atomic_store_n(&ms_maps_heap_end, end, __ATOMIC_RELEASE);
}

void ms_maps_brk(struct ms_thread *t, uint64_t end)
{
	ms_lock(MS_LOCK_MAPS);
	end_heap(t, end);
	ms_unlock(MS_LOCK_MAPS);
}

/* Ignores a smaller end: another thread may be about to grow the heap and to record its block. */
void ms_maps_grown(struct ms_thread *t)
{
	ms_lock(MS_LOCK_MAPS);
	uint64_t end = (uint64_t)ms_sys(__NR_brk, 0, 0, 0, 0, 0, 0);

	if (end > ms_maps_heap_end)
		end_heap(t, end);
	ms_unlock(MS_LOCK_MAPS);
}

/* --- libraries that are being unloaded --- */

static uint32_t unloading; /* calls of dlclose() that are in progress or not yet evaluated */

void ms_maps_count_unloads(uint32_t more)
{
	struct ms_thread *t = ms_self(); /* or its creator's */

	if (t->pointer == ms_thread_pointer())
		t->unloads += more;
	__atomic_add_fetch(&unloading, more, __ATOMIC_SEQ_CST);
}

bool ms_unloading_others(const struct ms_thread *t)
{
	return __atomic_load_n(&unloading, __ATOMIC_SEQ_CST) != t->unloads;
}

void ms_unloading_forked(const struct ms_thread *t)
{
	unloading = t->unloads;
}

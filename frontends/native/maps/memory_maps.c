/*
 * memory_maps.c - records the program's address space: modules and mappings.
 *
 * At the start they are read from /proc/self/maps, later they follow from the program's system
 * calls. A module is a file whose code is mapped; /proc/self/maps is read again when code is
 * mapped.
 */
#include "maps/dynamic_loader.h"
#include "maps/maps.h"
#include "maps/memspy_files.h"
#include "maps/proc_maps.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

enum { AT_HERE = -100 }; /* AT_FDCWD */

/* --- modules --- */

enum { MOST_MODULES = 8192 };

static struct ms_maps_loaded_module
	*modules; /* unmapped ones have size 0, and their entries are reused */
static uint32_t module_count, module_numbers;
static uint32_t initial_modules; /* the first so many existed when the program began */

/* Needs no lock: if the end is unchanged, the entry was not reused meanwhile. */
static bool contains_pc(const struct ms_maps_loaded_module *m, uint64_t pc)
{
	uint64_t end = __atomic_load_n(&m->end, __ATOMIC_ACQUIRE);

	return pc < end && pc >= __atomic_load_n(&m->start, __ATOMIC_ACQUIRE) &&
	       end == __atomic_load_n(&m->end, __ATOMIC_ACQUIRE);
}

const struct ms_maps_loaded_module *ms_maps_find_module(uint64_t pc)
{
	uint32_t n = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if (contains_pc(&modules[i], pc))
			return &modules[i];
	return NULL;
}

/* NULL: the table is full. */
static struct ms_maps_loaded_module *find_free_module(void)
{
	for (uint32_t i = initial_modules; i < module_count; i++)
		if (modules[i].end == 0)
			return &modules[i];
	return module_count < MOST_MODULES ? &modules[module_count] : NULL;
}

/* Finds the unwind tables by the program headers, which are mapped at the file's start. */
static void read_headers(struct ms_maps_loaded_module *m,
			 const struct ms_maps_proc_maps_line *first)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)first->start;
	const Elf64_Phdr *table = NULL, *load = NULL;

	if (first->offset != 0 || !ms_runtime_are_bytes_equal(head->e_ident, ELFMAG, SELFMAG) ||
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
	ms_native_hooks.headers_found(m->bias, p, head->e_phnum);
	if (table != NULL)
		m->frame_table = (const uint8_t *)(m->bias + table->p_vaddr);
}

static bool is_memspy_mapping(const struct ms_maps_proc_maps_line *line)
{
	uint64_t here = (uint64_t)is_memspy_mapping;

	return here >= line->start && here < line->end;
}

/* Calls of private allocators are observed in traced code only. */
static void scan_for_allocators(const struct ms_maps_loaded_module *m,
				const struct ms_maps_proc_maps_line *line)
{
	static char path[MS_WIRE_MAX_TEXT + 1]; /* under the lock; stacks may be small */

	if (ms_runtime_config.no_tracing)
		return;
	ms_runtime_copy_bytes(path, line->path, line->path_bytes);
	path[line->path_bytes] = '\0';
	ms_native_hooks.module_found(m, path);
}

/* Other processes that have the file open can change what is mapped here. */
static bool may_change(const struct ms_maps_proc_maps_line *line)
{
	return line->write || line->shared || ms_maps_has_path_prefix(line, "/memfd:");
}

/* Stores the end last: until then lookups do not find the module. */
static void put_module(struct ms_maps_loaded_module *free_module, struct ms_maps_loaded_module m)
{
	uint64_t end = m.end;

	m.end = 0;
	*free_module = m;
	__atomic_store_n(&free_module->end, end, __ATOMIC_RELEASE);
	if (free_module == &modules[module_count])
		__atomic_store_n(&module_count, module_count + 1, __ATOMIC_RELEASE);
}

/* first: where the file's start is mapped, or the line itself. */
static void add_module(struct ms_runtime_thread *t, const struct ms_maps_proc_maps_line *line,
		       const struct ms_maps_proc_maps_line *first)
{
	struct ms_maps_loaded_module *free_module = find_free_module();
	struct ms_maps_loaded_module m = { .start = line->start,
					   .end = line->end,
					   .file = line->file,
					   .number = UINT32_MAX,
					   .is_memspy = is_memspy_mapping(line) };
	struct ms_wire_module wire = { line->offset, line->start, line->end - line->start,
				       line->path_bytes,
				       ms_maps_is_memspy_file(line) ? MS_WIRE_MODULE_OF_MEMSPY
								    : 0 };
	bool is_file = line->path[0] == '/';

	if (free_module == NULL || may_change(line))
		return;
	read_headers(&m, first);
	if (is_file && !m.is_memspy) {
		m.number = module_numbers++;
		scan_for_allocators(&m, line);
		ms_runtime_write_event(t, MS_WIRE_MODULE, m.number, &wire, sizeof(wire) / 8,
				       line->path, line->path_bytes);
	}
	put_module(free_module, m);
}

/* Adds the code of the file of `like` that is not known yet. */
static void add_modules_of(struct ms_runtime_thread *t, const struct ms_maps_proc_maps *text,
			   const struct ms_maps_proc_maps_line *like)
{
	struct ms_maps_proc_maps_line line, first = *like;
	const char *end = text->at + text->n;

	for (const char *at = text->at;
	     (at = ms_maps_parse_proc_maps_line(at, end, &line)) != NULL;) {
		if (!ms_maps_is_same_file(&line, like))
			continue;
		if (line.offset == 0)
			first = line;
		if (line.code && ms_maps_find_module(line.start) == NULL)
			add_module(t, &line, &first);
	}
}

/* In the order of the loader, which is the order of their thread-local storage. */
static void add_modules(struct ms_runtime_thread *t, const struct ms_maps_proc_maps *text)
{
	struct ms_maps_proc_maps_line line;
	const char *end = text->at + text->n;

	for (const struct ms_maps_loaded_object *link = ms_maps_get_first_object(); link != NULL;
	     link = link->next)
		for (const char *at = text->at;
		     (at = ms_maps_parse_proc_maps_line(at, end, &line)) != NULL;)
			if ((uint64_t)link->dynamic - line.start < line.end - line.start &&
			    line.path_bytes > 0)
				add_modules_of(t, text, &line);
	for (const char *at = text->at;
	     (at = ms_maps_parse_proc_maps_line(at, end, &line)) != NULL;)
		if (line.code &&
		    (line.path[0] == '/' || ms_maps_has_path_prefix(&line, "[vdso]")) &&
		    ms_maps_find_module(line.start) == NULL)
			add_modules_of(t, text, &line);
}

static void remove_module(struct ms_runtime_thread *t, struct ms_maps_loaded_module *m)
{
	ms_native_hooks.module_leaves(m->start, m->end - m->start);
	__atomic_store_n(&m->end, 0, __ATOMIC_RELEASE);
	if (m->number != UINT32_MAX)
		ms_runtime_write_event(t, MS_WIRE_MODULE_GONE, m->number, NULL, 0, NULL, 0);
	ms_native_hooks.module_left(); /* code that is mapped here next is another module's */
}

static void remove_modules(struct ms_runtime_thread *t, uint64_t start, uint64_t size)
{
	for (uint32_t i = 0; i < module_count; i++)
		if (modules[i].end != 0 && modules[i].start - start < size)
			remove_module(t, &modules[i]);
}

static void mark_mapped_modules(const struct ms_maps_proc_maps *text)
{
	const char *end = text->at + text->n;
	struct ms_maps_proc_maps_line line;

	for (uint32_t i = 0; i < module_count; i++)
		modules[i].is_mapped = false;
	for (const char *at = text->at;
	     (at = ms_maps_parse_proc_maps_line(at, end, &line)) != NULL;)
		for (uint32_t i = 0; i < module_count; i++)
			if (modules[i].start - line.start < line.end - line.start &&
			    modules[i].file == line.file)
				modules[i].is_mapped = true;
}

static void remove_unmapped(struct ms_runtime_thread *t, const struct ms_maps_proc_maps *text)
{
	mark_mapped_modules(text);
	for (uint32_t i = 0; i < module_count; i++) {
		struct ms_maps_loaded_module *m = &modules[i];

		if (m->is_mapped || m->end == 0)
			continue;
		if (!ms_runtime_config.no_tracing)
			ms_native_hooks.code_unmapped(m->start, m->end - m->start);
		remove_module(t, m);
	}
}

/* While another thread unloads a module, what is read of it may vanish: postponed to the
 * next call. */
static void rescan_modules(struct ms_runtime_thread *t)
{
	struct ms_maps_proc_maps text;

	if (ms_maps_is_other_unloading(t))
		return;
	if (ms_maps_read_proc_maps(&text)) {
		remove_unmapped(t, &text);
		add_modules(t, &text);
	}
	ms_maps_free_proc_maps(&text);
}

void ms_maps_check_unloaded_modules(struct ms_runtime_thread *t)
{
	struct ms_maps_proc_maps text;

	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	if (module_count > initial_modules) {
		if (ms_maps_read_proc_maps(&text))
			remove_unmapped(t, &text);
		ms_maps_free_proc_maps(&text);
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
}

/* Code that is never traced, and code that the program has made writable. Entries of unmapped
 * modules are harmless. */
enum { MOST_PARTS = 256 };
static struct code_part {
	uint64_t start, end;
} excluded[MOST_PARTS], written[MOST_PARTS];
static uint32_t excluded_count, written_count;

void ms_maps_exclude_code(uint64_t start, uint64_t bytes)
{
	if (excluded_count == MOST_PARTS || bytes == 0)
		return;
	excluded[excluded_count] = (struct code_part){ start, start + bytes };
	__atomic_store_n(&excluded_count, excluded_count + 1, __ATOMIC_RELEASE);
}

/* Reduces [*start, *end) to the range around pc outside of all parts; false: pc is in one. */
static bool shrink_around(const struct code_part *parts, const uint32_t *count, uint64_t pc,
			  uint64_t *start, uint64_t *end)
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

bool ms_maps_is_stable_code(uint64_t pc, uint64_t *start, uint64_t *end)
{
	const struct ms_maps_loaded_module *m = ms_maps_find_module(pc);

	uint64_t from = m != NULL ? m->start : 0, to = m != NULL ? m->end : 0;
	bool stable = m != NULL && shrink_around(excluded, &excluded_count, pc, &from, &to) &&
		      shrink_around(written, &written_count, pc, &from, &to);

	/* A caller that caches the range must not cache a whole module. */
	*start = stable ? from : 0;
	*end = stable ? to : 0;
	return stable;
}

bool ms_maps_has_module_code(uint64_t start, uint64_t size)
{
	uint32_t n = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if (modules[i].start < start + size && modules[i].end > start)
			return true;
	return false;
}

/* An instruction that begins before the part, and ends in it, may change with it. */
enum { LONGEST_INSTRUCTION = 15 };

void ms_maps_mark_code_writable(uint64_t start, uint64_t size)
{
	struct code_part *last = &written[MOST_PARTS - 1];
	bool known = false;

	start -= LONGEST_INSTRUCTION - 1;
	size += LONGEST_INSTRUCTION - 1;
	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	for (uint32_t i = 0; i < written_count && !known; i++)
		known = start >= written[i].start && start + size <= written[i].end;
	if (!known && written_count < MOST_PARTS) {
		written[written_count] = (struct code_part){ start, start + size };
		__atomic_store_n(&written_count, written_count + 1, __ATOMIC_RELEASE);
	} else if (!known) { /* table full: the last part covers too much */
		last->start = start < last->start ? start : last->start;
		last->end = start + size > last->end ? start + size : last->end;
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
}

bool ms_maps_find_code_range(uint64_t pc, uint64_t *start, uint64_t *end)
{
	struct ms_maps_proc_maps text;
	struct ms_maps_proc_maps_line line;
	bool found = false;

	*start = 0;
	*end = UINT64_MAX;
	if (!shrink_around(excluded, &excluded_count, pc, start, end))
		return false;
	if (ms_maps_read_proc_maps(&text))
		for (const char *at = text.at;
		     !found &&
		     (at = ms_maps_parse_proc_maps_line(at, text.at + text.n, &line)) != NULL;)
			found = line.code && pc >= line.start && pc < line.end;
	ms_maps_free_proc_maps(&text);
	if (!found)
		return false;
	*start = line.start > *start ? line.start : *start;
	*end = line.end < *end ? line.end : *end;
	return true;
}

/* --- mappings --- */

static void send_map(struct ms_runtime_thread *t, uint64_t address, uint64_t size, uint32_t kind,
		     uint32_t path, const char *name, uint32_t bytes)
{
	struct ms_wire_map map = { address, size, kind, bytes };

	ms_runtime_write_event(t, MS_WIRE_MAP, path, &map, sizeof(map) / 8, name, bytes);
}

/* Records a mapping that existed before the runtime. */
static void report_mapping(struct ms_runtime_thread *t, const struct ms_maps_proc_maps_line *line)
{
	uint64_t size = line->end - line->start;

	if (ms_maps_has_path_prefix(line, "[stack]") ||
	    ms_maps_has_path_prefix(line, "[vsyscall]") ||
	    ms_maps_has_path_prefix(line, "/memfd:memspy-"))
		return;
	if (line->path[0] == '/' && line->path_bytes > 0 && !ms_maps_is_memspy_file(line))
		send_map(t, line->start, size, MS_WIRE_MAP_FILE, MS_WIRE_NO_PATH, line->path,
			 line->path_bytes);
	else
		send_map(t, line->start, size,
			 ms_maps_has_path_prefix(line, "[heap]") ? MS_WIRE_MAP_HEAP
								 : MS_WIRE_MAP_START,
			 MS_WIRE_NO_PATH, NULL, 0);
}

uint64_t ms_maps_get_stack_limit(void)
{
	enum { STACK = 3, USUAL = 8 << 20, MOST = 1 << 30 };
	static uint64_t known; /* the C library reads it once, too */
	uint64_t limit[2] = { 0, 0 };

	if (known == 0) {
		ms_runtime_syscall(__NR_prlimit64, 0, STACK, 0, (long)limit, 0, 0);
		known = limit[0] == 0 || limit[0] > MOST ? USUAL : limit[0];
	}
	return known;
}

static void find_stack(struct ms_runtime_thread *t, const struct ms_maps_proc_maps_line *line)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);

	if (here >= line->start && here < line->end) {
		t->stack = line->start;
		t->stack_end = line->end;
		if (ms_maps_has_path_prefix(line, "[stack]"))
			t->stack = line->end - ms_maps_get_stack_limit();
	}
}

void ms_maps_find_stack(struct ms_runtime_thread *t)
{
	struct ms_maps_proc_maps text;
	struct ms_maps_proc_maps_line line;

	if (ms_maps_read_proc_maps(&text))
		for (const char *at = text.at;
		     (at = ms_maps_parse_proc_maps_line(at, text.at + text.n, &line)) != NULL;)
			find_stack(t, &line);
	ms_maps_free_proc_maps(&text);
}

void ms_maps_report_all(struct ms_runtime_thread *t)
{
	static bool began; /* a forked child's stream begins later */
	struct ms_maps_proc_maps text;
	struct ms_maps_proc_maps_line line;

	if (modules == NULL)
		modules = ms_runtime_map_pages(MOST_MODULES * sizeof(*modules));
	if (modules == NULL || !ms_maps_read_proc_maps(&text))
		return;
	ms_maps_find_memspy_files(&text);
	const char *end = text.at + text.n;
	bool known = t->stack_end != 0; /* a forked child's is unchanged; we run on our own */
	for (const char *at = text.at;
	     (at = ms_maps_parse_proc_maps_line(at, end, &line)) != NULL;) {
		if (!known)
			find_stack(t, &line);
		report_mapping(t, &line);
	}
	add_modules(t, &text);
	initial_modules = began || ms_runtime_config.attached ? 0 : module_count;
	began = true;
	ms_maps_free_proc_maps(&text);
	ms_runtime_heap_end = (uint64_t)ms_runtime_syscall(__NR_brk, 0, 0, 0, 0, 0, 0);
}

const struct ms_maps_loaded_module *ms_maps_find_or_scan_module(struct ms_runtime_thread *t,
								uint64_t pc)
{
	static uint32_t unknown;
	const struct ms_maps_loaded_module *m = ms_maps_find_module(pc);
	uint32_t n;

	if (m != NULL)
		return m;
	n = __atomic_add_fetch(&unknown, 1, __ATOMIC_SEQ_CST);
	if (ms_runtime_are_locks_abandoned())
		return NULL;
	if ((n & (n - 1)) != 0) /* ever fewer attempts: the program may generate code */
		return NULL;
	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	rescan_modules(t);
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
	m = ms_maps_find_module(pc);
	if (m != NULL)
		__atomic_store_n(&unknown, 0, __ATOMIC_SEQ_CST);
	return m;
}

/* Numbers start again. */
void ms_maps_forget_modules(void)
{
	module_count = 0;
	module_numbers = 0;
}

/* The name of the file of a descriptor; 0: none. */
static uint32_t read_fd_path(int fd, char *name)
{
	char link[40] = "/proc/self/fd/";

	link[14 + ms_runtime_format_number(link + 14, (uint64_t)fd, 10)] = '\0';
	long got = ms_runtime_syscall(__NR_readlinkat, AT_HERE, (long)link, (long)name,
				      MS_WIRE_MAX_TEXT, 0, 0);
	return got > 0 ? (uint32_t)got : 0;
}

void ms_maps_add_mapping(struct ms_runtime_thread *t, uint64_t address, uint64_t size, int fd,
			 bool code, bool by_allocator, uint32_t path)
{
	static char name[MS_WIRE_MAX_TEXT]; /* under the lock; stacks may be small */
	uint32_t bytes;

	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	bytes = fd >= 0 ? read_fd_path(fd, name) : 0;
	remove_modules(t, address, size);
	if (fd >= 0)
		send_map(t, address, size, MS_WIRE_MAP_FILE, MS_WIRE_NO_PATH, name, bytes);
	else if (by_allocator)
		send_map(t, address, size, MS_WIRE_MAP_HEAP, MS_WIRE_NO_PATH, NULL, 0);
	else
		send_map(t, address, size, MS_WIRE_MAP_ANON, path, NULL, 0);
	if (code && fd >= 0)
		rescan_modules(t);
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
}

static void report_unmapped(struct ms_runtime_thread *t, uint64_t address, uint64_t size)
{
	uint64_t words[2] = { address, size };

	remove_modules(t, address, size);
	ms_runtime_write_event(t, MS_WIRE_UNMAP, 0, words, 2, NULL, 0);
}

void ms_maps_remove_mapping(struct ms_runtime_thread *t, uint64_t address, uint64_t size)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	report_unmapped(t, address, size);
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
}

/* Publishes the new end after it was recorded: otherwise blocks of other threads above the old end
 * would become the allocator's again. */
static void update_heap_end(struct ms_runtime_thread *t, uint64_t end)
{
	uint64_t was = ms_runtime_heap_end;

	if (end > was)
		send_map(t, was, end - was, MS_WIRE_MAP_HEAP, MS_WIRE_NO_PATH, NULL, 0);
	else if (end < was)
		report_unmapped(t, end, was - end);
	__atomic_store_n(&ms_runtime_heap_end, end, __ATOMIC_RELEASE);
}

void ms_maps_set_heap_end(struct ms_runtime_thread *t, uint64_t end)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	update_heap_end(t, end);
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
}

/* Ignores a smaller end: another thread may be about to grow the heap and to record its block. */
void ms_maps_check_heap_growth(struct ms_runtime_thread *t)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	uint64_t end = (uint64_t)ms_runtime_syscall(__NR_brk, 0, 0, 0, 0, 0, 0);

	if (end > ms_runtime_heap_end)
		update_heap_end(t, end);
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
}

/* --- libraries that are being unloaded --- */

static uint32_t unloading; /* calls of dlclose() that are in progress or not yet evaluated */

void ms_maps_count_unloads(uint32_t more)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread(); /* or its creator's */

	if (t->thread_pointer == ms_runtime_get_thread_pointer())
		t->unloads_under_way += more;
	__atomic_add_fetch(&unloading, more, __ATOMIC_SEQ_CST);
}

bool ms_maps_is_other_unloading(const struct ms_runtime_thread *t)
{
	return __atomic_load_n(&unloading, __ATOMIC_SEQ_CST) != t->unloads_under_way;
}

void ms_maps_reset_unloading(const struct ms_runtime_thread *t)
{
	unloading = t->unloads_under_way;
}

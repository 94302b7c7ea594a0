/*
 * client_request_entry.c - client requests (include/memspy.h) of a program that is not traced: each
 * of its modules has a word for the address of the function to call, and a note with the position
 * of the word.
 */
#include <elf.h>

#include "interpose/interpose.h"
#include "interpose/interposed_functions.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "syscalls/syscalls.h"
#include "unwind/unwind.h"

/* The note that the header creates: Elf64_Nhdr, "memspy" padded by a zero, and the distance from
 * there to the word. */
struct request_note {
	uint32_t name_bytes, bytes, type;
	char name[8];
	int32_t to_word;
	uint32_t pad;
};

static bool is_loaded(const Elf64_Phdr *note, const Elf64_Phdr *all, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (all[i].p_type == PT_LOAD && note->p_vaddr >= all[i].p_vaddr &&
		    note->p_vaddr + note->p_memsz <= all[i].p_vaddr + all[i].p_filesz)
			return true;
	return false;
}

static uint64_t round_up_to_4(uint32_t bytes)
{
	return ((uint64_t)bytes + 3) & ~UINT64_C(3);
}

static void read_notes(uint64_t at, uint64_t end)
{
	static const char name[] = "memspy";

	while (end - at >= sizeof(Elf64_Nhdr)) {
		const struct request_note *note = (const struct request_note *)at;
		uint64_t bytes = sizeof(Elf64_Nhdr) + round_up_to_4(note->name_bytes) +
				 round_up_to_4(note->bytes);

		if (bytes > end - at)
			return;
		if (note->name_bytes == sizeof(name) && note->bytes == 8 && note->type == 1 &&
		    ms_runtime_are_bytes_equal(note->name, name, sizeof(name)))
			*(volatile uint64_t *)((uint64_t)&note->to_word +
					       (uint64_t)(int64_t)note->to_word) =
				(uint64_t)ms_interpose_request_entry;
		at += bytes;
	}
}

void ms_interpose_install_request_entry(uint64_t bias, const void *headers, uint32_t count)
{
	const Elf64_Phdr *p = headers;

	/* The tracer handles requests of traced code, so the word is needed only if not all code is
	 * traced. */
	if (!ms_runtime_config.no_tracing && ms_runtime_config.period == 0)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (p[i].p_type == PT_NOTE && is_loaded(&p[i], p, count))
			read_notes(bias + p[i].p_vaddr, bias + p[i].p_vaddr + p[i].p_memsz);
}

/* Called by interpose.S for the program. */
uint64_t ms_interpose_handle_native_request(const uint64_t *args,
					    const struct ms_interpose_frame *frame);
uint64_t ms_interpose_handle_native_request(const uint64_t *args,
					    const struct ms_interpose_frame *frame)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();
	struct ms_unwind_frame from = { .pc = frame->return_pc,
					.sp = (uint64_t)frame->caller_stack };
	uint64_t answer;

	if (t == NULL)
		return 0;
	ms_runtime_copy_bytes(from.callee_saved, frame->callee_saved, sizeof(from.callee_saved));
	t->busy = 1;
	answer = ms_syscalls_handle_client_request(t, args, &from, true);
	t->busy = 0;
	return answer;
}

/*
 * instruction_templates.h - instructions that have been decoded, by their bytes.
 *
 * Programs repeat few encodings: most instructions have the bytes of one that was decoded before,
 * apart from a displacement of four bytes that is relative to the pc. What the translator needs to
 * know about an instruction depends on its bytes alone, and no encoding is the beginning of
 * another. So code that begins with the bytes of a template is this instruction.
 */
#ifndef MS_NATIVE_TRACER_X86_64_INSTRUCTION_TEMPLATES_H
#define MS_NATIVE_TRACER_X86_64_INSTRUCTION_TEMPLATES_H

#include <stdbool.h>
#include <stdint.h>

#include "instruction.h"

enum { MS_TRACER_TEMPLATE_BYTES = 16 }; /* that both functions read at `code` */

void ms_tracer_start_templates(void);
/* Sets *in to the instruction at pc. False: it must be decoded. */
bool ms_tracer_find_template(struct ms_tracer_insn *in, uint64_t pc, const uint8_t *code);
/* Keeps an instruction that was decoded. */
void ms_tracer_add_template(const struct ms_tracer_insn *in, const uint8_t *code);

#endif

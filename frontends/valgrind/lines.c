/*
 * lines.c - Valgrind's core reads the line tables of every module at its start. The tool needs
 * symbols (to know malloc) and unwind tables (for call paths), no lines: names are found by memspy
 * itself, outside the program. The linker sends calls of the reader here (see build.mk); what
 * matters to a short program is that nothing is read.
 */
#include "tool.h"

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void)
{
}

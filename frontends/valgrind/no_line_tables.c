/*
 * no_line_tables.c - prevents Valgrind's core from reading the line tables of every module at its
 * start. The tool needs symbols (to recognise malloc) and unwind tables (for call paths), no lines:
 * memspy itself finds names, outside the program. The linker redirects calls of the reader here
 * (see build.mk). Reading nothing matters to short programs.
 */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void)
{
}

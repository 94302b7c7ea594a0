/* x86-64/syscall.h - a raw system call: the tool library exports none of the few we need. */
#ifndef MS_VG_SYSCALL_H
#define MS_VG_SYSCALL_H

static inline Word raw_syscall(Word number, Word a, Word b, Word c, Word d, Word e, Word f)
{
	Word result;
	register Word r10 __asm__("r10") = d;
	register Word r8 __asm__("r8") = e;
	register Word r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#endif

/* aarch64/syscall.h - a raw system call: the tool library exports none of the few we need. */
#ifndef MS_VG_SYSCALL_H
#define MS_VG_SYSCALL_H

static inline Word raw_syscall(Word number, Word a, Word b, Word c, Word d, Word e, Word f)
{
	register Word x8 __asm__("x8") = number;
	register Word x0 __asm__("x0") = a;
	register Word x1 __asm__("x1") = b;
	register Word x2 __asm__("x2") = c;
	register Word x3 __asm__("x3") = d;
	register Word x4 __asm__("x4") = e;
	register Word x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#endif

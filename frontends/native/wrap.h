/* wrap.h - numbers of the functions that the runtime interposes, for C and assembler. */
#ifndef MS_NATIVE_WRAP_H
#define MS_NATIVE_WRAP_H

/* The order is fixed; allocator functions come first. */
#define MS_WRAP_malloc                              0
#define MS_WRAP_calloc                              1
#define MS_WRAP_realloc                             2
#define MS_WRAP_reallocarray                        3
#define MS_WRAP_free                                4
#define MS_WRAP_memalign                            5
#define MS_WRAP_aligned_alloc                       6
#define MS_WRAP_posix_memalign                      7
#define MS_WRAP_valloc                              8
#define MS_WRAP_pvalloc                             9
#define MS_WRAP__Znwm                               10
#define MS_WRAP__ZnwmRKSt9nothrow_t                 11
#define MS_WRAP__ZnwmSt11align_val_t                12
#define MS_WRAP__ZnwmSt11align_val_tRKSt9nothrow_t  13
#define MS_WRAP__Znam                               14
#define MS_WRAP__ZnamRKSt9nothrow_t                 15
#define MS_WRAP__ZnamSt11align_val_t                16
#define MS_WRAP__ZnamSt11align_val_tRKSt9nothrow_t  17
#define MS_WRAP__ZdlPv                              18
#define MS_WRAP__ZdlPvm                             19
#define MS_WRAP__ZdlPvRKSt9nothrow_t                20
#define MS_WRAP__ZdlPvSt11align_val_t               21
#define MS_WRAP__ZdlPvmSt11align_val_t              22
#define MS_WRAP__ZdlPvSt11align_val_tRKSt9nothrow_t 23
#define MS_WRAP__ZdaPv                              24
#define MS_WRAP__ZdaPvm                             25
#define MS_WRAP__ZdaPvRKSt9nothrow_t                26
#define MS_WRAP__ZdaPvSt11align_val_t               27
#define MS_WRAP__ZdaPvmSt11align_val_t              28
#define MS_WRAP__ZdaPvSt11align_val_tRKSt9nothrow_t 29
#define MS_WRAP_HEAP                                30
#define MS_WRAP_pthread_create                      30
#define MS_WRAP_mmap                                31
#define MS_WRAP_mmap64                              32
#define MS_WRAP_munmap                              33
#define MS_WRAP_mremap                              34
#define MS_WRAP_mprotect                            35
#define MS_WRAP_dlclose                             36
#define MS_WRAP_sigaction                           37
#define MS_WRAP_signal                              38
#define MS_WRAP_sigprocmask                         39
#define MS_WRAP_pthread_sigmask                     40
#define MS_WRAP_sigsuspend                          41
#define MS_WRAP_sigaltstack                         42
#define MS_WRAP_sigwait                             43
#define MS_WRAP_sigwaitinfo                         44
#define MS_WRAP_sigtimedwait                        45
#define MS_WRAP_ppoll                               46
#define MS_WRAP___ppoll_chk                         47
#define MS_WRAP_pselect                             48
#define MS_WRAP_epoll_pwait                         49
#define MS_WRAP_prctl                               50
#define MS_WRAP_syscall                             51
#define MS_WRAP_pthread_cancel                      52
#define MS_WRAP_fork                                53
#define MS_WRAP_vfork                               54
#define MS_WRAP_forkpty                             55
#define MS_WRAP_daemon                              56
#define MS_WRAP_posix_spawn                         57
#define MS_WRAP_posix_spawnp                        58
#define MS_WRAP_system                              59
#define MS_WRAP_popen                               60
#define MS_WRAP_execve                              61
#define MS_WRAP_execv                               62
#define MS_WRAP_execvp                              63
#define MS_WRAP_execvpe                             64
#define MS_WRAP_execl                               65
#define MS_WRAP_execlp                              66
#define MS_WRAP_execle                              67
#define MS_WRAP_fexecve                             68
#define MS_WRAP_ALL                                 69

/* Data of thin.c that wrap.S uses: a word of struct ms_thread, and the counters of the table of
 * blocks. */
#define MS_WRAP_UNTIL     4224
#define MS_THIN_SHIFT     7
#define MS_THIN_MIX       20
#define MS_THIN_STRETCHES (1 << 19)
/* The table of blocks itself: entries, shifts of the hash of an address, entries in one cache
 * line. */
#define MS_THIN_PLACES      (1 << 21)
#define MS_THIN_PLACE_SHIFT 5
#define MS_THIN_PLACE_MIX   18
#define MS_THIN_NEAR        8

#endif

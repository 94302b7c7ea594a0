/* function_numbers.h - numbers of the functions that the runtime interposes, for C and assembler.
 */
#ifndef MS_NATIVE_INTERPOSE_FUNCTION_NUMBERS_H
#define MS_NATIVE_INTERPOSE_FUNCTION_NUMBERS_H

/* The order is fixed; allocator functions come first. */
#define MS_INTERPOSE_malloc                              0
#define MS_INTERPOSE_calloc                              1
#define MS_INTERPOSE_realloc                             2
#define MS_INTERPOSE_reallocarray                        3
#define MS_INTERPOSE_free                                4
#define MS_INTERPOSE_memalign                            5
#define MS_INTERPOSE_aligned_alloc                       6
#define MS_INTERPOSE_posix_memalign                      7
#define MS_INTERPOSE_valloc                              8
#define MS_INTERPOSE_pvalloc                             9
#define MS_INTERPOSE__Znwm                               10
#define MS_INTERPOSE__ZnwmRKSt9nothrow_t                 11
#define MS_INTERPOSE__ZnwmSt11align_val_t                12
#define MS_INTERPOSE__ZnwmSt11align_val_tRKSt9nothrow_t  13
#define MS_INTERPOSE__Znam                               14
#define MS_INTERPOSE__ZnamRKSt9nothrow_t                 15
#define MS_INTERPOSE__ZnamSt11align_val_t                16
#define MS_INTERPOSE__ZnamSt11align_val_tRKSt9nothrow_t  17
#define MS_INTERPOSE__ZdlPv                              18
#define MS_INTERPOSE__ZdlPvm                             19
#define MS_INTERPOSE__ZdlPvRKSt9nothrow_t                20
#define MS_INTERPOSE__ZdlPvSt11align_val_t               21
#define MS_INTERPOSE__ZdlPvmSt11align_val_t              22
#define MS_INTERPOSE__ZdlPvSt11align_val_tRKSt9nothrow_t 23
#define MS_INTERPOSE__ZdaPv                              24
#define MS_INTERPOSE__ZdaPvm                             25
#define MS_INTERPOSE__ZdaPvRKSt9nothrow_t                26
#define MS_INTERPOSE__ZdaPvSt11align_val_t               27
#define MS_INTERPOSE__ZdaPvmSt11align_val_t              28
#define MS_INTERPOSE__ZdaPvSt11align_val_tRKSt9nothrow_t 29
#define MS_INTERPOSE_HEAP_COUNT                          30
#define MS_INTERPOSE_pthread_create                      30
#define MS_INTERPOSE_thrd_create                         31
#define MS_INTERPOSE_mmap                                32
#define MS_INTERPOSE_mmap64                              33
#define MS_INTERPOSE_munmap                              34
#define MS_INTERPOSE_mremap                              35
#define MS_INTERPOSE_mprotect                            36
#define MS_INTERPOSE_shmat                               37
#define MS_INTERPOSE_shmdt                               38
#define MS_INTERPOSE_dlclose                             39
#define MS_INTERPOSE_sigaction                           40
#define MS_INTERPOSE_signal                              41
#define MS_INTERPOSE_sigprocmask                         42
#define MS_INTERPOSE_pthread_sigmask                     43
#define MS_INTERPOSE_sigsuspend                          44
#define MS_INTERPOSE_sigaltstack                         45
#define MS_INTERPOSE_sigwait                             46
#define MS_INTERPOSE_sigwaitinfo                         47
#define MS_INTERPOSE_sigtimedwait                        48
#define MS_INTERPOSE_ppoll                               49
#define MS_INTERPOSE___ppoll_chk                         50
#define MS_INTERPOSE_pselect                             51
#define MS_INTERPOSE_epoll_pwait                         52
#define MS_INTERPOSE_prctl                               53
#define MS_INTERPOSE_syscall                             54
#define MS_INTERPOSE_pthread_cancel                      55
#define MS_INTERPOSE_fork                                56
#define MS_INTERPOSE_vfork                               57
#define MS_INTERPOSE_forkpty                             58
#define MS_INTERPOSE_daemon                              59
#define MS_INTERPOSE_posix_spawn                         60
#define MS_INTERPOSE_posix_spawnp                        61
#define MS_INTERPOSE_system                              62
#define MS_INTERPOSE_popen                               63
#define MS_INTERPOSE_execve                              64
#define MS_INTERPOSE_execv                               65
#define MS_INTERPOSE_execvp                              66
#define MS_INTERPOSE_execvpe                             67
#define MS_INTERPOSE_execl                               68
#define MS_INTERPOSE_execlp                              69
#define MS_INTERPOSE_execle                              70
#define MS_INTERPOSE_fexecve                             71
#define MS_INTERPOSE_COUNT                               72

#endif

/*
 * base/thread.h - threads that have room, however small a stack the user's limit gives to one: a
 * thread that reads debug information or writes a database needs more than a few pages.
 */
#ifndef MS_BASE_THREAD_H
#define MS_BASE_THREAD_H

#include <pthread.h>

/* As pthread_create(): 0, or why not. */
int ms_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

#endif

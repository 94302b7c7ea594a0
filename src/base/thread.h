/*
 * base/thread.h - threads with a sufficient stack, however small the user's stack limit is: a
 * thread that reads debug information or writes a database needs more than a few pages.
 */
#ifndef MS_BASE_THREAD_H
#define MS_BASE_THREAD_H

#include <pthread.h>

#include "base/err.h"

int ms_thread_start(pthread_t *thread, void *(*run)(void *), void *arg, struct ms_err *err);

#endif

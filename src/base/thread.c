#include "base/thread.h"

#include <string.h>

enum { STACK_BYTES = 8 << 20 };

int ms_thread_start(pthread_t *thread, void *(*run)(void *), void *arg, struct ms_err *err)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	int code = pthread_create(thread, &attributes, run, arg);
	pthread_attr_destroy(&attributes);
	if (code != 0)
		return ms_fail(err, MS_EIO, "cannot start a thread: %s", strerror(code));
	return MS_OK;
}

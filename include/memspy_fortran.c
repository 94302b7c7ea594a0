/* SPDX-License-Identifier: BSD-2-Clause */
/* memspy_fortran.c - what memspy.f90 calls: compile it once, with a C compiler, and link it too. */
#include "memspy.h"

void memspy_fortran_name(const void *start, size_t size, const char *name);
void memspy_fortran_unname(const void *start);
void *memspy_fortran_alloc_named(size_t size, const char *name);
void *memspy_fortran_pool_alloc(void *block, size_t size);
void memspy_fortran_pool_free(void *block);
void memspy_fortran_phase(const char *name);
void memspy_fortran_count(int on);
int memspy_fortran_running(void);

void memspy_fortran_name(const void *start, size_t size, const char *name)
{
	memspy_name(start, size, name);
}

void memspy_fortran_unname(const void *start)
{
	memspy_unname(start);
}

void *memspy_fortran_alloc_named(size_t size, const char *name)
{
	return memspy_alloc_named(size, name);
}

void *memspy_fortran_pool_alloc(void *block, size_t size)
{
	return memspy_pool_alloc(block, size);
}

void memspy_fortran_pool_free(void *block)
{
	memspy_pool_free(block);
}

void memspy_fortran_phase(const char *name)
{
	memspy_phase(name);
}

void memspy_fortran_count(int on)
{
	if (on)
		memspy_start();
	else
		memspy_stop();
}

int memspy_fortran_running(void)
{
	return memspy_running();
}

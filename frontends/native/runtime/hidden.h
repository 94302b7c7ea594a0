/*
 * hidden.h - the first include of every C file (build.mk): all symbols are hidden, so that they are
 * addressed relative to the pc, without the global offset table. -fvisibility=hidden would hide
 * definitions only.
 */
#pragma GCC visibility push(hidden)

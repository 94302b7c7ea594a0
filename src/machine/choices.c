/* machine/choices.c - the words of a machine file for what a level does. */
#include "machine/machine.h"

static const char *const replacements[] = { "lru", "tree-plru", "random", NULL };
static const char *const writes[] = { "back", "through", NULL };
static const char *const write_misses[] = { "allocate", "around", NULL };
static const char *const contents[] = { "neither", "inclusive", "exclusive", NULL };

#define AT(field) offsetof(struct ms_machine_level, field)

/* In the order in which they are written. */
const struct ms_machine_choice ms_machine_choices[MS_MACHINE_CHOICES] = {
	[MS_CHOICE_REPLACEMENT] = { "replacement", replacements, AT(replacement) },
	[MS_CHOICE_WRITE] = { "write", writes, AT(write) },
	[MS_CHOICE_WRITE_MISS] = { "write-miss", write_misses, AT(write_miss) },
	[MS_CHOICE_CONTENTS] = { "contents", contents, AT(contents) },
};

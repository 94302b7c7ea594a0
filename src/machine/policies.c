#include "machine/policies.h"

#include "machine/machine.h"

const char *const ms_machine_replacements[] = {
	[MS_REPLACEMENT_LRU] = "lru",
	[MS_REPLACEMENT_TREE_PLRU] = "tree-plru",
	[MS_REPLACEMENT_RANDOM] = "random",
	[MS_REPLACEMENT_FIFO] = "fifo",
	NULL,
};
const char *const ms_machine_writes[] = {
	[MS_WRITE_BACK] = "back",
	[MS_WRITE_THROUGH] = "through",
	NULL,
};
const char *const ms_machine_write_misses[] = {
	[MS_WRITE_MISS_ALLOCATE] = "allocate",
	[MS_WRITE_MISS_AROUND] = "around",
	NULL,
};
const char *const ms_machine_contents[] = {
	[MS_CONTENTS_NEITHER] = "neither",
	[MS_CONTENTS_INCLUSIVE] = "inclusive",
	[MS_CONTENTS_EXCLUSIVE] = "exclusive",
	NULL,
};
const char *const ms_machine_protocols[] = {
	[MS_PROTOCOL_MESI] = "mesi",
	[MS_PROTOCOL_MSI] = "msi",
	[MS_PROTOCOL_MOESI] = "moesi",
	NULL,
};

#define AT(field) offsetof(struct ms_machine_level, field)

/* In the order in which machine files have them. */
const struct ms_machine_choice ms_machine_choices[MS_MACHINE_CHOICES] = {
	[MS_CHOICE_REPLACEMENT] = { "replacement", ms_machine_replacements, AT(replacement) },
	[MS_CHOICE_WRITE] = { "write", ms_machine_writes, AT(write) },
	[MS_CHOICE_WRITE_MISS] = { "write-miss", ms_machine_write_misses, AT(write_miss) },
	[MS_CHOICE_CONTENTS] = { "contents", ms_machine_contents, AT(contents) },
};

/* symbols/stored_result_priv.h - the variable in which the code after a call stores its result. */
#ifndef MS_SYMBOLS_STORED_RESULT_PRIV_H
#define MS_SYMBOLS_STORED_RESULT_PRIV_H

#include "base/text.h"
#include "symbols/receiver_priv.h"

struct ms_symbols_stored_result {
	Dwarf_Die var;
	bool local;          /* var is a variable or a parameter of the function */
	const char *name;    /* of the variable */
	struct ms_text path; /* from there to the result: "[1]", "->next"; must be freed */
	bool deref;          /* the variable points to the result: "*out" */
	Dwarf_Die type;      /* of the result */
	bool returned;       /* the function returns it, and stores it nowhere: there is no more */
};

/* False: it is stored in no variable, or in memory that no variable points to. */
bool ms_symbols_find_stored_result(struct ms_symbols_receiving *r, uint64_t return_address,
				   struct ms_symbols_stored_result *out);

#endif

/* serve/serve_priv.h - declarations that the server and its pages share. */
#ifndef MS_SERVE_SERVE_PRIV_H
#define MS_SERVE_SERVE_PRIV_H

#include "serve/guard.h"
#include "serve/route.h"
#include "serve/serve.h"

enum { MS_FORM_MOST = 64 << 10 }; /* maximum bytes of a request's body */

struct ms_serve_response {
	unsigned status;
	const char *type; /* of the content */
	char *body;       /* allocated with malloc() */
	size_t size;
};

/* Creates the whole answer; an error becomes a page that describes it. form: NULL unless POST. */
void ms_serve_answer(const struct ms_serve_options *options, const struct ms_serve_guard *guard,
		     struct ms_serve_route route, const char *form,
		     struct ms_serve_response *answer);
/* An answer of plain text. */
void ms_serve_sentence(unsigned status, const char *text, struct ms_serve_response *answer);

#endif

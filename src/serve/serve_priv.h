/* serve/serve_priv.h - what the server and its pages share. */
#ifndef MS_SERVE_SERVE_PRIV_H
#define MS_SERVE_SERVE_PRIV_H

#include "serve/guard.h"
#include "serve/route.h"
#include "serve/serve.h"

enum { MS_FORM_MOST = 64 << 10 }; /* bytes of what may be sent to the server */

struct ms_answer {
	unsigned status;
	const char *type; /* of the content */
	char *body;       /* of malloc() */
	size_t size;
};

/* Makes the whole answer; whatever goes wrong is a page that says so. form: NULL unless POST. */
void ms_serve_answer(const struct ms_serve_options *options, const struct ms_guard *guard,
		     struct ms_route route, const char *form, struct ms_answer *answer);
/* A plain sentence. */
void ms_serve_sentence(unsigned status, const char *text, struct ms_answer *answer);

#endif

/* serve/module.c - finds and loads the HTTP module. */
#include <dlfcn.h>

#include "base/text.h"
#include "serve/http.h"

int ms_serve_http_load(const char *folder, const struct ms_serve_http_module **http,
		       struct ms_err *err)
{
	struct ms_text path = MS_TEXT_INIT;

	ms_text_addf(&path, "%s/memspy-http.so", folder);
	void *module = dlopen(path.at, RTLD_NOW | RTLD_LOCAL);
	ms_text_free(&path);
	*http = module != NULL ? dlsym(module, MS_HTTP_TABLE) : NULL;
	if (*http != NULL)
		return MS_OK;
	return ms_fail(err, MS_EMISSING, "memspy serve needs libmicrohttpd and its own part: %s",
		       dlerror());
}

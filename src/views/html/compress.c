/*
 * views/html/compress.c - the JSON of a page: as it is, or compressed where it would make the page
 * too large to be mailed.
 *
 * Small ones stay text: anything can read them. Most of a large one are figures of bins and call
 * paths that begin alike; zlib makes a sixth of them, base64 a third more of that, which every
 * browser since 2023 undoes by itself (DecompressionStream).
 */
#include <stdlib.h>
#include <zlib.h>

#include "base/mem.h"
#include "views/html/html.h"
#include "views/html/html_priv.h"

enum { PLAIN = 2 << 20 }; /* bytes of JSON that a page has as text, at most */

static void put_base64(const unsigned char *bytes, size_t n, FILE *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		size_t rest = n - i;
		uint32_t three = (uint32_t)bytes[i] << 16 |
				 (rest > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
				 (rest > 2 ? bytes[i + 2] : 0);

		fputc(digits[three >> 18], out);
		fputc(digits[three >> 12 & 63], out);
		fputc(rest > 1 ? digits[three >> 6 & 63] : '=', out);
		fputc(rest > 2 ? digits[three & 63] : '=', out);
	}
}

static int put_compressed(const char *json, size_t size, FILE *out, struct ms_err *err)
{
	uLongf n = compressBound(size);
	unsigned char *bytes = ms_alloc(n);
	int code = compress2(bytes, &n, (const unsigned char *)json, size, Z_DEFAULT_COMPRESSION);

	if (code == Z_OK) {
		fputs("<script type=\"application/zlib\" id=\"data\">", out);
		put_base64(bytes, n, out);
	}
	ms_free(bytes);
	if (code != Z_OK)
		return ms_fail(err, MS_EIO, "the page: zlib could not compress %zu bytes: %s", size,
			       zError(code));
	return MS_OK;
}

int ms_html_put_data(const char *json, size_t size, bool mailed, FILE *out, struct ms_err *err)
{
	if (mailed && size > PLAIN)
		MS_TRY(put_compressed(json, size, out, err));
	else {
		fputs("<script type=\"application/json\" id=\"data\">", out);
		fwrite(json, 1, size, out);
	}
	fputs("</script>\n", out);
	return MS_OK;
}

const char *ms_html_library(void)
{
	return zlibVersion();
}

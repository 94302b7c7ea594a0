#include "fuzz/fuzz.h"
#include "fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_import("din", data, size);
	return 0;
}

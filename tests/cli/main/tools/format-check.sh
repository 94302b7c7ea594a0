# tools/check-format accepts formatted files, names those that are not, and is skipped without clang-format 14.
set -u
mkdir -p tree/src tree/frontends tree/tests tree/bench tree/examples tree/include tree/none
cp "$SRC/.clang-format" tree
printf 'int main(void)\n{\n\treturn 0;\n}\n' | tee tree/src/good.c tree/include/good.h >/dev/null
"$SRC/tools/check-format" tree
echo "formatted: status $?"
printf 'int main(void) {\n    return 0; }\n' | tee tree/tests/bad.c tree/include/bad.h >/dev/null
"$SRC/tools/check-format" tree | sed 's/:[0-9:]* .*//' | uniq
echo "not formatted: status ${PIPESTATUS[0]}"
printf '#!/bin/sh\necho "clang-format version 19.1.7"\n' | tee tree/none/clang-format tree/none/clang-format-14 >/dev/null
chmod +x tree/none/clang-format*
PATH=$PWD/tree/none:$PATH "$SRC/tools/check-format" tree
echo "another version: status $?"

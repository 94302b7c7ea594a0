# tools/check-docs, on a small tree: names of files that do not exist, and links that lead nowhere are reported.
mkdir -p tree/tools tree/docs/design tree/tests tree/src/base
cd tree || exit 1
cp "$SRC/tools/check-docs" tools/check-docs
touch src/base/num.c src/base/num.h
printf '# Right\n\n`src/base/num.c`, `num.h`, `base/<name>.c`, `src/base/NAME.[ch]`, [here](#right), (src/base).\n' |
	tee README.md ARCHITECTURE.md CONTRIBUTING.md tests/README.md >docs/page.md
tools/check-docs
echo "status $?"

cat >docs/design/wrong.md <<'END'
# Wrong

`src/base/gone.c` and src/gone, `gone.h`, `base/<name>.S`.
[A page](../gone.md), [a heading](../page.md#gone), [a page that exists](../page.md#right).
`double.c` and `/proc/self/maps` are not ours.
END
tools/check-docs
echo "status $?"

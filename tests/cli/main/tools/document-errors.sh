# tools/check-docs, on a small tree: files, identifiers and links that do not exist, pages that are too long and
# folders that are not in the table of ARCHITECTURE.md are reported.
mkdir -p tree/tools tree/docs/design tree/tests tree/src/base
cd tree || exit 1
cp "$SRC/tools/check-docs" tools/check-docs
touch src/base/num.h
echo 'int ms_num_parse(void);' >src/base/num.c
printf '# Right\n\n`src/base/num.c`, `num.h`, `base/<name>.c`, `src/base/NAME.[ch]`, `ms_num_parse()`, [here](#right), (src/base).\n' |
	tee README.md ARCHITECTURE.md CONTRIBUTING.md tests/README.md >docs/page.md
printf '\n| folder | purpose |\n| --- | --- |\n| `src/base` | all |\n' >>ARCHITECTURE.md
tools/check-docs
echo "status $?"

cat >docs/design/wrong.md <<'END'
# Wrong

`src/base/gone.c` and src/gone, `gone.h`, `base/<name>.S`, `struct ms_num_gone`.
[A page](../gone.md), [a heading](../page.md#gone), [a page that exists](../page.md#right).
`double.c` and `/proc/self/maps` are not ours.
END
printf '%0121d\n' 0 >>docs/design/wrong.md
seq 300 | sed 's/.*//' >docs/design/long.md
seq 300 | sed 's/.*//' >docs/long.md
mkdir -p src/new frontends/new
tools/check-docs
echo "status $?"

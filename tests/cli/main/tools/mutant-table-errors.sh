# The table of tools/mutate: what does not fit the sources is reported with its line, and make test fails.
table() {
	cat >table
	"$SRC/tools/mutate" --check --table table 2>&1
	echo "status $?"
}
f=tests/cli/main/tools/mutant-table-errors.c
table <<END
# Texts that occur in no line, in several, and twice in one.
mutant nothing
file $f
- this text is in no source
+
tests unit/base/num

mutant several lines
file $f
- return 0;
+ return 1;
tests unit/base/num

mutant twice in a line
file $f
in static int second(
- n > 3
+ n > 4
tests unit/base/num

mutant one line of a function
file $f
in static int first(
- return 0;
+ return 1;
tests unit/base/num

mutant nothing changes
file $f
- return 2;
+ return 2;
tests unit/base/num

mutant a file that is not there
file src/base/none.c
- x
+ y
tests unit/base/num

mutant a test that is not there
file $f
- return 2;
+ return 3;
tests unit/base/num unit/none cli/none/
END
table <<'END'
mutant without tests
file src/base/num.c
- x
+ y
END
table <<'END'
mutant of unknown kind
files src/base/num.c
END
"$SRC/tools/mutate" --check --only src/base/ && echo "the real table is right"

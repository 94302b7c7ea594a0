# make -j2 of a small project: one report over make, the assembler and the linker. (Compilers may be wrapped by caches.)
. "$SRC/tests/cli/ranks/lib.bash"
for part in one two main; do
	echo ".globl $part; $part: .long 0" >$part.s
done
cat >Makefile <<'END'
program: one.o two.o main.o
	ld -e main -o $@ $^
%.o: %.s
	as -o $@ $<
END
merged make -j2 | grep -v -E '^(as|ld)'
[ -x program ] && echo "the program is built"
programs 'make|as|ld'
"$MEMSPY" report | grep '^Merged:' | sed 's/[0-9][0-9]*/N/g'

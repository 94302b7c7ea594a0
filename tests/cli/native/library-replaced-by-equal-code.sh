# A library with equal code is loaded at the address of another one: its blocks are attributed to its own functions.
. "$SRC/tests/cli/run/lib.bash"
for name in first second; do
	cat >$name.c <<-END
		#include <stdlib.h>
		char *make(void);
		static __attribute__((noinline)) char *make_in_$name(void)
		{
			char *block = malloc(100);
			block[0] = 1;
			return block;
		}
		char *make(void)
		{
			char *block = make_in_$name();
			block[1] = 1;
			return block;
		}
	END
	gcc -std=gnu17 -O1 -g -shared -fPIC -fno-optimize-sibling-calls -o $name.so $name.c || fail "gcc $name.c"
done
cat >program.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	for (int round = 0; round < 3; round++)
		for (int i = 1; i < argc; i++) {
			void *library = dlopen(argv[i], RTLD_NOW);
			char *(*make)(void) = library == NULL ? NULL : (char *(*)(void))dlsym(library, "make");
			if (make == NULL)
				return 1;
			printf("%p\n", (void *)make);
			for (int n = 0; n < 10 * i; n++)
				free(make());
			dlclose(library);
		}
	return 0;
}
END
gcc -std=gnu17 -O1 -g -o program program.c -ldl || fail "gcc program.c"

for frontend in native valgrind; do
	"$MEMSPY" run -q --frontend $frontend --db $frontend.db -- ./program ./first.so ./second.so >$frontend.out 2>$frontend.err ||
		fail "$frontend: $(cat $frontend.err)"
	[ "$(sort -u $frontend.out | wc -l)" = 1 ] || fail "$frontend: they were not loaded at one place: $(cat $frontend.out)"
	found=$(sqlite3 $frontend.db "select objects || ' ' || full_name from data where full_name like '%make_in%' order by objects")
	expected='30 main (program.c:14) > make (first.c:11) > make_in_first (first.c:5) > char.block
60 main (program.c:14) > make (second.c:11) > make_in_second (second.c:5) > char.block'
	[ "$found" = "$expected" ] || fail "$frontend: $found"
done
finish

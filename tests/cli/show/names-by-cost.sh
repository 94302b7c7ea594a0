# show, callers, lines, evictions and --data/--code take the same thing for a name: of those with this last component, in any case,
# the costliest, which is named; =NAME is exactly this one. A section of the program is not called like the program.
cat >stream.c <<'END'
#include <stdlib.h>
#include <string.h>
int *a, n = 1 << 18;
__attribute__((noinline)) long stream(void)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}
__attribute__((noinline)) void clear(void)
{
	memset(a, 0, 4 * (size_t)n);
}
int main(void)
{
	a = malloc(4 * (size_t)n);
	clear();
	return stream() == 1;
}
END
gcc -g -O1 -fno-builtin stream.c -o stream || exit
"$MEMSPY" run -q --machine dash --call-paths ./stream
shown() {
	echo "$*: $("$MEMSPY" "$@" 2>&1 | grep -oE '^DETAILED OUTPUT: .*|^CALLERS OF .*|^CODE THAT USES [^,]*|is taken as [^;]*' |
		sed -E 's/__memset[_a-z0-9]*|__GI_memset/MEMSET/' | paste -sd '|')"
}
shown show a stream
shown show A STREAM
shown show --data a --code stream
shown show --data =a
shown callers a
shown callers --data a
shown callers =a
shown callers memset
shown callers STREAM
shown evictions --of a
echo "lines: $("$MEMSPY" lines STREAM 2>&1 | grep -c 'sum += a\[i\]')"
# The printed commands find what they are about.
"$MEMSPY" show --data =a | grep -oE 'memspy show --data [^ ]* --code'

# A tag that is the name of a function of the run: with '@' it is the run.
cp stream other
"$MEMSPY" run -q --machine dash --tag stream ./other
"$MEMSPY" run -q --machine dash ./stream
for word in stream @stream; do
	"$MEMSPY" show a $word 2>&1 | grep -oE 'as a name in the run.*|^Run: *@[0-9]|^DETAIL.*' | tr -s ' '
done

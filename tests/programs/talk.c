/* Copies its input to its output, in capitals to standard error, and ends with status 3. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
	for (int c; (c = getchar()) != EOF;) {
		putchar(c);
		putc(toupper(c), stderr);
	}
	return 3;
}

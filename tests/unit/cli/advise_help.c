/* The help of memspy advise names each kind of finding. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "advise/advise.h"
#include "cli/commands/commands.h"

static void the_help_names_all_kinds(void **state)
{
	int missing = 0;

	(void)state;
	for (int i = 0; i < MS_ADVISE_KINDS; i++) {
		char title[100];

		snprintf(title, sizeof(title), "%s", ms_advise_kind_title(i));
		title[0] = (char)tolower((unsigned char)title[0]);
		if (strstr(ms_commands_advise.full, title) == NULL) {
			print_message("%s\n", title);
			missing++;
		}
	}
	assert_int_equal(missing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_help_names_all_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

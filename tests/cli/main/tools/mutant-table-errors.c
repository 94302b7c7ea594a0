/* What the table of mutant-table-errors.sh is about. */
static int first(int n)
{
	if (n > 3)
		return 1;
	return 0;
}

static int second(int n)
{
	if (n > 3 && n > 3)
		return 2;
	return 0;
}

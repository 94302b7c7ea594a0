# --follow-forks natively: the same runs as tests/cli/run/follow-forks.sh expects, and programs that are
# executed by way of vfork, posix_spawn and a shell.
export MEMSPY_FRONTEND=native
. "$SRC/tests/cli/run/lib.bash"
(
	mkdir family && cd family || exit
	bash "$SRC/tests/cli/run/follow-forks.sh" >../family.out
) || fail "the family: $(tail -n 5 family.out)"
diff family.out "$SRC/tests/cli/run/follow-forks.sh.stdout.exact" || fail "the family differs"

# Which program came out of which.
for how in system spawn vfork; do
	profile $how --follow-forks -- "$PROGRAMS/children" $how
	sqlite3 $how.db "select '$how', frontend, relation, ended from run where parent is not null"
done
finish

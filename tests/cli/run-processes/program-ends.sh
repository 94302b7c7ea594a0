# However the program ends, memspy ends in the same way and keeps the run.
. "$SRC/tests/cli/run/lib.bash"

# ends HOW STATUS END EXIT_STATUS: what the shell sees, what the run says
ends() {
	local name
	name=$(echo "$1" | tr -d _)
	profile "$name" "$PROGRAMS/ends" "$1"
	[ "$status" = "$2" ] || fail "$1: exit status $status, expected $2"
	expect "$name" <<END
bin('mark', 'marks').writes == 1000
report['run']['end'] == '$3'
report['run']['exit_status'] == $4
END
	[ "$("$MEMSPY" runs --db "$name.db" --json | grep -c '"id"')" = 1 ] || fail "$1: it is not kept"
}

killed() {
	grep -q "ends was killed by signal $2 ($3); what it did until then is kept" "$1.err" ||
		fail "$1: says $(cat "$1.err")"
}

{
	ends segv 139 signaled 11
	ends abort 134 signaled 6
	ends kill 137 signaled 9
	ends term 143 signaled 15
} 2>/dev/null # the shell's own "Segmentation fault"
killed segv 11 'Segmentation fault'
killed abort 6 Aborted
killed kill 9 Killed
killed term 15 Terminated
ends nothing 0 exited 0
ends _exit 6 exited 6
ends thread 7 exited 7
ends main 7 exited 7
ends fork 0 exited 0
[ ! -s fork.err ] || fail "fork: says $(cat fork.err)"

# Every file closed, ours among them, if there were any.
profile files "$PROGRAMS/ends" files
[ "$status" = 9 ] || fail "files: exit status $status, expected 9"
expect files <<'END'
bin('mark', 'marks').writes == 2000
END

# What follows an exec is another program: under Valgrind the run ends there.
profile exec --frontend valgrind -- "$PROGRAMS/ends" exec
[ "$status" = 0 ] || fail "exec: exit status $status, expected 0"
[ "$(cat exec.out)" = 'another program' ] || fail "exec: $(cat exec.out exec.err)"
grep -q 'not followed: run that one with memspy, or all with memspy run --follow-forks$' exec.err || fail "exec: says $(cat exec.err)"
expect exec <<'END'
bin('mark', 'marks').writes == 1000
END

# That other program is killed: what was seen ends with the exec, and that is said as well.
profile exec-kill --frontend valgrind -- "$PROGRAMS/ends" exec-kill 2>/dev/null
[ "$status" = 137 ] || fail "exec-kill: exit status $status, expected 137"
grep -q 'ends was killed by signal 9 (Killed)' exec-kill.err &&
	grep -q 'ends has replaced itself by another program (exec), which was not followed' exec-kill.err ||
	fail "exec-kill: says $(cat exec-kill.err)"
expect exec-kill <<'END'
bin('mark', 'marks').writes == 1000
report['run']['end'] == 'signaled'
END
finish

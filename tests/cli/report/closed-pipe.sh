# When the reader of a pipe is gone, memspy ends silently, by SIGPIPE or, if that is ignored, with status 0.
db=$("$DBS/make" matmul)
cat >unread.py <<'END'
import os, signal, subprocess, sys

def start(command, ignore):
    r, w = os.pipe()
    os.close(r)
    handler = signal.SIG_IGN if ignore else signal.SIG_DFL
    return subprocess.run(command, stdout=w, stderr=subprocess.PIPE, restore_signals=False,
                          preexec_fn=lambda: signal.signal(signal.SIGPIPE, handler))

memspy, db = sys.argv[1:]
for words in (["report", "--db", db], ["report", "--json", "--db", db], ["report", "--csv", "--db", db],
              ["show", "--db", db], ["lines", "--db", db], ["runs", "--db", db], ["machine", "list"],
              ["help"], ["help", "run"], ["--version"]):
    ended = [start([memspy, *words], ignore) for ignore in (False, True)]
    print(" ".join(w for w in words if w not in ("--db", db)), [e.returncode for e in ended],
          *[e.stderr.decode() for e in ended if e.stderr])
END
python3 unread.py "$MEMSPY" "$db"
"$MEMSPY" report --db "$db" | head -n 1

# Every command reports a full disk.
for words in "report --db $db" "show --db $db" "lines --db $db" "runs --db $db" 'machine list' 'machine show dash' \
	'machine show dash --ini' help 'help run' --version; do
	# shellcheck disable=SC2086 # words
	"$MEMSPY" $words 2>err >/dev/full
	echo "${words%% --db*}: status $?, $(cat err)"
done

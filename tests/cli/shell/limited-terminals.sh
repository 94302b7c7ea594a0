# Narrow, dumb and old terminals; names that contain escape sequences; a run that is deleted while it is open; two shells at
# once.
export MEMSPY_DB=$("$DBS/make" matmul) TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1 PAGER=cat
talk() { timeout -s KILL 120 python3 "$SRC/tests/cli/shell/terminal.py" "$@"; }
widest() { python3 -c 'import re, sys
print(max(len(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]", "", line)) for line in open(sys.argv[1], encoding="utf-8", newline="\n") if "Next:" not in line))' "$1"; }
echo "40 columns:"
talk 24 40 "$MEMSPY" shell <<END
< memspy @1> 
> matrix\n
< Matrix.Y
< memspy @1> 
> show Y Blk\n
< Causes of
< memspy @1> 
> data\n
< Stall %
< memspy @1> 
= narrow
> quit\n
END
sed -n '/memspy @1> /,$p' narrow >typed
widest typed
echo "a dumb terminal:"
TERM=dumb talk 24 80 "$MEMSPY" shell <<END
< memspy @1> 
> matrix\n
< Tot.%
< memspy @1> 
= dumb
> quit\n
END
grep -c $'\x1b' dumb
echo "no UTF-8:"
sqlite3 "$MEMSPY_DB" "update data set name = 'Größe.' || name where data = 1"
LC_ALL=C talk 24 60 "$MEMSPY" shell <<END
< memspy @1> 
> data\n
< Gr??e.Matrix.Z
< memspy @1> 
= old
> quit\n
END
LC_ALL=C grep -c -P '[\x80-\xff]' old
echo "names that steer terminals, and long ones:"
sqlite3 "$MEMSPY_DB" "update data set name = 'red ' || char(27) || '[31m' || char(10) || '\"it''s\" ' || char(155) where data = 0;
	update data set name = 'box<' || replace(hex(zeroblob(5000)), '00', 'ab') || '>' where data = 2;
	update code set name = 'evil' || char(27) || ']0;title' || char(7) where code = 1"
talk 40 100 "$MEMSPY" shell <<END
< memspy @1> 
> matrix\n
< Tot.%
< memspy @1> 
> show box\n
< in all code
< memspy @1> 
> show e\t
> \x03
< ^C
< memspy @1> 
> show red\n
< DETAILED
< memspy @1> 
> show nothing\n
< there is no data
< memspy @1> 
> rename red blue\n
< Rule 1
> rules\n
< rename
< memspy @1> 
= steering
> quit\n
END
# Only what libedit itself sends.
grep -c -e $'\x1b\[31m' -e $'\x1b\]0' -e $'\xc2\x9b' steering
"$MEMSPY" rules --export >memspy.rules
"$MEMSPY" rules --remove 1
"$MEMSPY" matrix | head -n 3
rm memspy.rules
echo "deleted while it is open:"
sqlite3 "$MEMSPY_DB" "pragma foreign_keys = on" "delete from run where id = 1"
printf 'matrix\nopen\n' | "$MEMSPY" shell 2>&1
rm "$MEMSPY_DB" && "$DBS/make" matmul >/dev/null
talk 24 80 "$MEMSPY" shell <<END
< memspy @1> 
> matrix\n
< Tot.%
< memspy @1> 
> runs delete @1\n
< memspy @1> 
> matrix\n
< there are no runs in it
< memspy @1> 
> show \x03
< ^C
< memspy @1> 
> quit\n
END
echo "two shells at once:"
rm "$MEMSPY_DB" && "$DBS/make" matmul >/dev/null
for i in $(seq 10); do echo "hide --pattern one$i"; echo "rename Y y$i"; done | "$MEMSPY" shell >/dev/null 2>one &
for i in $(seq 10); do echo "hide --pattern two$i"; echo "rename Z z$i"; done | "$MEMSPY" shell >/dev/null 2>two &
wait
cat one two | sed 's/;.*//' | sort | uniq -c
"$MEMSPY" rules --export | cut -d' ' -f1 | sort | uniq -c

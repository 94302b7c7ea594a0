# A file of -o is replaced when all of it is written; when the disk is full, or the command fails, an older one stays.
db=$("$DBS/make" matmul)
small() { (ulimit -f 1; "$MEMSPY" "$@" 2>&1 >/dev/null; echo "status $?") | cat; }
state() { stat -c '%n %F %a %h' "$@"; ls -A; }
cat >report.expected < <("$MEMSPY" report --db "$db" --json)

mkdir full && cd full
small html --db "../$db" -o page
small report --db "../$db" --json -o report
ls -A
echo good >page; echo good >report
small html --db "../$db" -o page
small report --db "../$db" --json -o report
"$MEMSPY" report --db "../$db" --sort none -o report 2>/dev/null; echo "status $?"
cat page report
ls -A

mkdir ../kept && cd ../kept
report() { "$MEMSPY" report --db "../$db" --json "$@"; }
umask 022; report -o new
echo old >shared; chmod 640 shared; report -o shared
echo old >target; ln -s target link; report -o link
ln -s later dangling; report -o dangling
echo old >first; ln first second; report -o second
state dangling first later link new second shared target
cmp first ../report.expected; cmp target ../report.expected; cmp later ../report.expected; cmp shared ../report.expected
mkfifo fifo; cat fifo >read & report -o fifo; wait; cmp read ../report.expected; stat -c %F fifo
report -o - | cmp - ../report.expected

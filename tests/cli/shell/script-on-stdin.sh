# A script on standard input: every verb is the command of that name, applied to the open run.
export MEMSPY_DB=$("$DBS/make" matmul)
"$MEMSPY" shell <<'END' 2>&1
# a session
matrix
DisplayAll Y Blk --width 80
rename Y "the weights"
objects --width 80
functions Z --width 80
sort references
sort
top
top 2
data --width 80
sort -
top -
sort nonsense
ev --width 80 --top 2
sh
zap
show 'x
open @7
open base
open
note padded rows
note
help top
memspy fullname weights
latency memory=1000
data --width 80
latency -
lines --csv --top 1
runs --csv --output runs.csv
hide '<stack>'
rules
quit
matrix
END
echo "status $?"
cut -d, -f1,2,4 runs.csv
echo "as commands:"
"$MEMSPY" data --width 80
printf 'data --width 80\n' | "$MEMSPY" shell @1
echo "status $?"
printf 'matrix' | "$MEMSPY" shell @base | grep '^rest'
"$MEMSPY" shell @9 </dev/null
echo "status $?"
"$MEMSPY" shell </dev/null
echo "status $?"
printf 'help\n' | "$MEMSPY" shell | grep -e '^  matrix ' -e '^  open '
echo "a file that ends without quit, and a program that reads:"
printf 'matrix --top 1\nrun -q --l1 32K,8,64 cat\nopen @1\ncode --top 1 --width 60\n' >file
timeout -s KILL 60 "$MEMSPY" shell <file
echo "status $?"
echo "diff compares with the open run, wherever its options stand:"
"$MEMSPY" runs export @1 two.db 2>&1
"$MEMSPY" run -q --db two.db --l1 32K,8,64 true
for words in '@2' '@2 --by cause' '--by cause @2' '--base-db two.db @2'; do
	echo "diff $words" | "$MEMSPY" shell --db two.db @1 | sed -n '1,3s/^\([A-Za-z]*: *@[0-9]*\).*/\1/p'
done
echo "errors stand where they belong:"
printf 'help top\nzap\nhelp quit\n' | "$MEMSPY" shell 2>&1
echo "no database yet:"
printf 'matrix\nruns\n' | "$MEMSPY" shell --db none.db
echo "status $?"

# The sessions of the 1992 paper (matmul) and of the dissertation (multigrid): as a script, and typed on a terminal.
matmul='run -q --machine memspy-1992-matmul '$EXAMPLES'/matmul 150 50'
multigrid='run -q --machine buck-2004 --l1 16K,4,32 '$EXAMPLES'/multigrid plain 32 1'
"$MEMSPY" shell <<END >out 2>err
$matmul
matrix
show Y BlkMultiply
fullname Y
combine operands X Y
data
code operands
END
echo "status $?"
grep -v seconds err
grep -o -e '^BlkMultiply ' -e '^DETAILED.*' -e '^Causes.*' -e '^  Matrix.Y: ' -e 'key: .*' -e '^CODE.*' -e ' operands$' out | uniq
"$MEMSPY" shell <<END >out 2>err
$multigrid
objects
data resid
functions U
evictions --of U --by U --top 3
END
echo "status $?"
grep -v seconds err
grep -o -e '^DATA.*' -e '^CODE.*' -e ' double\.[UVR]$' -e ' resid$' -e ' psinv$' -e '^EVICTIONS BY SOURCE.*' out | sed -n '1,/^EVICTIONS/p'
export TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1 PAGER=cat
talk() { timeout -s KILL 120 python3 "$SRC/tests/cli/shell/terminal.py" 60 100 "$MEMSPY" shell; }
talk <<END
< help lists the verbs
> $multigrid\n
< @3 is open
< memspy @3> 
> objects\n
< memspy @3> 
> data resid\n
< in resid
< double.U
< memspy @3> 
> open @1\n
< memspy @1> 
> show Z BlkM\t\n
< Matrix.Z in BlkMultiply
< Causes of replacements
< memspy @1> 
> quit\n
END

# On a terminal: completion, history, Ctrl-C, the pager, and the end of the session.
export MEMSPY_DB=$("$DBS/make" matmul) TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1
talk() { timeout -s KILL 120 python3 "$SRC/tests/cli/shell/terminal.py" "$@"; }
echo "the paper's session:"
talk 70 100 "$MEMSPY" shell <<'END'
< TOTAL APPLICATION STATISTICS
< BlkMultiply    97.1      84.9
< memspy @1> 
> DisplayAll Y Blk\n
< Matrix.Y in BlkMultiply
< Matrix.Y: 90.0%
< memspy @1> 
> fullname Y\n
< Matrix.Y < NewMatrix < main
> rename Y weights\n
< Rule 1
> combine matrices X Z\n
< Rule 3
> matrix\n
< Tot.%  weights  matrices
< memspy @1> 
> show matrices weights main\n
< matrices, weights in main
< memspy @1> 
> quit\n
END
cat "$HOME/.local/state/memspy/history" | tail -n 3
echo "Tab, history, Ctrl-C, Ctrl-D:"
talk 50 100 "$MEMSPY" shell @base <<'END'
< memspy @1> 
> evi\t
< evictions 
> --o\t
< --o
> f wei\t
< weights 
> --to\t3\n
< EVICTIONS
< memspy @1> 
> show m\t
< main      matrices  memcpy
> ain \x03
< ^C
< memspy @1> 
> \x1b[A
< evictions --of weights --top 3
> \x03
< ^C
< memspy @1> 
> lines mat\t
< lines matmul.c 
> \x03
< ^C
< memspy @1> 
> sort L2_mi\t\t
< L2_miss_rate
> \x03
< ^C
< memspy @1> 
> split --by th\t
< split --by thread 
> \x03
< ^C
< memspy @1> 
> open @\t
< @base
> \x03
< ^C
< memspy @1> 
> zap\n
< there is no verb 'zap'
< memspy @1> 
> \x04
END
echo "what is longer than the screen:"
PAGER='sed s/^/paged:/' talk 16 100 "$MEMSPY" shell <<'END'
< memspy @1> 
> top 3\n
> matrix\n
< PERCENTAGE
! paged:
< memspy @1> 
> show matrices\n
< paged:DETAILED
< memspy @1> 
> q\n
END
echo "Ctrl-C stops a listing:"
MEMSPY_PAGER= talk 24 100 "$MEMSPY" shell <<'END'
< memspy @1> 
> run -q --l1 32K,8,64 sh -c 'echo it is running; while :; do :; done'\n
< \nit is running
> \x03
< memspy @2> 
> matrix @1\n
< Tot.%
< memspy @2> 
> quit\n
END

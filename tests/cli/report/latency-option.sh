# --latency changes the cost model; without any cost, shares are shares of references.
db=$("$DBS/make" matmul)
"$MEMSPY" report --db "$db" --latency L2=20,memory=200
"$MEMSPY" report --db "$db" --latency L2=0,memory=0
"$MEMSPY" report --db "$db" --latency L2=0,memory=0 --by code
"$MEMSPY" report --db "$db" --latency L2=0,memory=0 --json | grep -o '"stall_share": null' | sort -u

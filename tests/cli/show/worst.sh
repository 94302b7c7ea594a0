# Without names: the bin that waits the most.
"$MEMSPY" show --db "$("$DBS/make" matmul)" --width 80 | grep -e DETAILED -e Next

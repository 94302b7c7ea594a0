# Without names memspy shows the bin with the most stall cycles.
"$MEMSPY" show --db "$("$DBS/make" matmul)" --width 80 | grep -e DETAILED -e Next

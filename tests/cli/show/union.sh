# Globs and repetition; an allocation path each.
"$MEMSPY" show --db "$("$DBS/make" matmul)" -d 'Matrix.[YZ]' -d count -c main -c Clear --width 80

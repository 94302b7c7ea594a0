# Globs and repeated options select several data structures, each with its allocation path.
"$MEMSPY" show --db "$("$DBS/make" matmul)" -d 'Matrix.[YZ]' -d count -c main -c Clear --width 80

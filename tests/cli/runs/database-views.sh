# The database has the views that docs/formats/database.md describes.
db=$("$DBS/make" matmul)
sqlite3 "$db" "select code, data, level, misses, first, replaced from bin_miss where run = 1 order by misses desc limit 3;
	select code, data, reads, writes from bin where data = 'Matrix.Z';
	select evictor, count from bin_replaced where code = 'BlkMultiply' and data = 'Matrix.Y' and level = 'L1' order by count desc;
	select code, file, source_line, kind, data, refs from place where cell < 2"

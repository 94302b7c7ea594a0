# Long names of C++ that differ at two or three places only are cut so that those in one list or matrix differ.
db=$("$DBS/make" matmul)
sed 's/99999/1999/; s/25000/500/; s/5000/100/g' "$SRC/tests/browser/large.sql" | sqlite3 -bail "$db"
sqlite3 -bail "$db" <<'SQL'
create temp table t (i integer primary key, type text);
insert into t select key, value from json_each('["float", "double", "npy::half", "long double", "std::complex<float>", "std::complex<double>", "int", "long long", "short", "unsigned char"]');
create temp table o (i integer primary key, op text);
insert into o select key, value from json_each('["add", "subtract", "multiply", "floor_divide", "logical_and"]');
update code set name = (select 'npy::simd::detail::binary_loop_contiguous<' || type || ', ' || type || ', npy::' || op || '_tag<' || type || '> >::execute_inner_'
	|| case code / 50 when 0 then 'avx2' else 'avx512_skx' end || '(char**, long const*, long const*, void*)' from t, o where t.i = code % 10 and o.i = code / 10 % 5) where run = 2;
update data set name = (select 'std::vector<std::pair<unsigned long, ' || type || '>, std::allocator<std::pair<unsigned long, ' || type || '> > >::_M_impl[' || (data / 10) || '] < make_workspace < main' from t where t.i = data % 10) where run = 2;
update data set full_name = name where run = 2;
SQL
MEMSPY_GROUP=none "$MEMSPY" html --db "$db" -o page.html @2
node "$SRC/tests/browser/long-names.js" "file://$PWD/page.html"

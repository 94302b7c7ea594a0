# Only memspy serve loads the HTTP module. If it is missing or broken that command says so, and all others work.
db=$("$DBS/make" matmul)
readelf -d "$MEMSPY" | grep -c microhttpd
mkdir empty broken
echo 'not an object' >broken/memspy-http.so
for folder in empty broken; do
	MEMSPY_LIBDIR=$folder "$MEMSPY" serve --db "$db" 2>err
	echo $? "$(cat err)"
	MEMSPY_LIBDIR=$folder "$MEMSPY" --version | grep -o 'libmicrohttpd [^,]*'
	MEMSPY_LIBDIR=$folder "$MEMSPY" runs --db "$db" --csv | wc -l
done

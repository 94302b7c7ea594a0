# Names that contain markup, scripts or changes of the writing direction are shown as text everywhere.
db=$("$DBS/make" matmul)
sqlite3 "$db" <<'END'
update data set name = '<script>window.broken=1</script>', full_name = '</script><b class=evil>' where data = 0;
update data set name = '"''><img src=x onerror=window.broken=2>' where data = 1;
update data set name = 'a' || char(0x202e) || 'b', type = '<img src=x onerror=window.broken=3>' where data = 2;
update code set name = '</title></script><script>window.broken=4</script><!--' where code = 0;
update string set text = text || '</script><script>window.broken=5</script>';
update run set program = '<script>window.broken=6</script>', machine = '<!--<script>', tag = '<b class=evil>';
END
"$MEMSPY" html --db "$db" -o page.html
# In the file nothing of it can end an element either.
grep -c 'broken' page.html
grep -c '<script>window' page.html
node "$SRC/tests/browser/hostile.js" "file://$PWD/page.html"

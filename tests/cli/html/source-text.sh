# The page contains the text of hot lines with some context, unless it is omitted by an option or the source is missing.
cat >lines.py <<'END'
import json, re, sys
page = json.loads(re.search(r'id="data">(.*?)</script>', open(sys.argv[1], encoding='utf-8').read(), re.S).group(1))
for file in page['lines']['files']:
    print(file['file'].replace('/home/u', '~'), file['trouble'], file['changed'], [(l['line'], l['text']) for l in file['lines'] if l['text']])
for file in page['context']:
    print('around', len(file['lines']), file['lines'][:2])
END
db=$("$DBS/make" matmul)
"$MEMSPY" html --db "$db" && python3 lines.py memspy.html
echo with source
mkdir src && for i in $(seq 60); do echo "line $i </script>"; done >src/matmul.c
touch -d 2020-01-01 src/matmul.c
"$MEMSPY" html --db "$db" --source src && python3 lines.py memspy.html
echo changed
touch src/matmul.c
"$MEMSPY" html --db "$db" --source src && python3 lines.py memspy.html | cut -d ' ' -f 1-4
echo left out
"$MEMSPY" html --db "$db" --source src --no-source && python3 lines.py memspy.html
grep -c "line 20 " memspy.html || true

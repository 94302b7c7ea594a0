# The page is one small file that loads nothing else and has the same bytes each time.
db=$("$DBS/make" matmul)
"$MEMSPY" html --db "$db" && ls
"$MEMSPY" html --db "$db" -o - | cmp - memspy.html && echo the same
grep -cE '(src|href)="?(https?:)?//|@import|url\(' memspy.html
grep -oE 'https?://[^" ]*' memspy.html | sort -u # the name of SVG's elements is no address to go to
[ "$(stat -c %s memspy.html)" -lt 370000 ] && echo small
# The policy's hashes are those of what stands in the page.
python3 - <<'END'
import base64, hashlib, re
page = open('memspy.html', encoding='utf-8', newline='').read()
policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
for tag in 'script', 'style':
    text = re.search('<%s>(.*?)</%s>' % (tag, tag), page, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    print(tag, "%s-src 'sha256-%s'" % (tag, digest) in policy)
print("default-src 'none'" in policy)
END

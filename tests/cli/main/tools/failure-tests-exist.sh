# Every test that docs/design/failures*.md name exists.
# shellcheck disable=SC2016 # backquotes of the text
grep -oh '`tests/[^`]*`' "$SRC"/docs/design/failures*.md | tr -d '`' >named
[ "$(wc -l <named)" -ge 60 ] || { echo "only $(wc -l <named) tests are named" && exit 1; }
while read -r name; do
	[ -f "$SRC/$name" ] || { echo "there is no $name" && exit 1; }
done <named

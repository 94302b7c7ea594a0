# The Debian package has memspy's version, and needs the libraries that tools/deps lists to build.
set -eu
made=$(sed -n 's/^VERSION := //p' "$SRC/Makefile")
packed=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$SRC/debian/changelog")
[ "$made" = "$packed" ] || echo "Makefile says $made, debian/changelog $packed"
sed -n '/^packages=(/,/^)/p' "$SRC/tools/deps" | sed 's/#.*//' | grep -oE '\<lib[a-z0-9.+-]*-dev\>' | grep -v cmocka | sort >listed
sed -n '/^Build-Depends:/,/^Standards/p' "$SRC/debian/control" | grep -oE '\<lib[a-z0-9.+-]*-dev\>' | sort >needed
diff listed needed
[ -x "$SRC/debian/rules" ] && [ -x "$SRC/tools/deb" ]

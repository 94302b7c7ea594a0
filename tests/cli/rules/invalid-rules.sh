# Rules that cannot apply are refused with a message, and not stored.
export MEMSPY_DB=$("$DBS/make" matmul)
try() { "$MEMSPY" "$@"; echo "status $?"; }
try rename Matrix A
try rename nothing A
try rename 'Matrix.*' A
try rename Matrix.Y Matrix.Z
try rename Matrix.Y
try rename Matrix.Y ''
try rename Matrix.Y "$(printf 'a\033[31m')"
try rename Matrix.Y '<hidden>'
try combine M
try split Matrix.Y
try split --by colour Matrix.Y
try hide
try rules --remove 1
try rules --remove file
try rename Y A @7
"$MEMSPY" rules
"$MEMSPY" combine M X Y
"$MEMSPY" combine N Z counter
"$MEMSPY" rename M O
try combine M N O
"$MEMSPY" rules --export | wc -l
try rename --db missing.db A B
[ -e missing.db ] || echo "and none is made"

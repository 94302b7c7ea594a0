# Wrong arguments and commands that fail are refused with a message.
try() { "$MEMSPY" verify --rounds 1 "$@"; echo "status $?"; }
try
try true
try ./missing true
try false true
try "sh -c 'kill -9 \$\$'" true
try true true
try --rounds 0 true true
try --run @1 true true

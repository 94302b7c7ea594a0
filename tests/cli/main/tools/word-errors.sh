# tools/check-words, on a small tree: former words are reported in comments and in names; quotations are not.
mkdir -p tree/src tree/docs
cd tree || exit 1
printf 'int count; /* scolded, stolid */\n' >src/right.c
printf 'The paper says “no doub%s”.\n' t >docs/right.md
"$SRC/tools/check-words" .
echo "status $?"
printf 'int is_t%sd, ms_siev%s; /* no doub%ss */\n' ol e t >src/wrong.c
"$SRC/tools/check-words" . >faults
echo "status $?"
cut -d: -f1,2,4 faults

# A machine too large to simulate is refused with the permitted range, and so are values that are not finite numbers.
try() { "$MEMSPY" "$@"; echo "status $?"; }
try machine --l1 1T,1,4
try machine --l1 1T,1073741824,1024
try machine --l1 32K,8,64 --ll 1T,16,64
try machine --l1 nan,8,64
try machine --l1 32K,8,64 --ll 8M,16,64,inf
for value in nan inf 1e999 0/0; do
	try run --sample "$value" -- /bin/true
	try run --sample 1/10 --error "$value" -- /bin/true
done
printf '[machine]\ntext = t\nprocessors = 1024\n[level L1]\nsize = 16G\nways = 8\nline = 64\n[memory]\nlatency = 100\n' >absurd.ini
try run --machine ./absurd.ini --processors 1024 -- /bin/true

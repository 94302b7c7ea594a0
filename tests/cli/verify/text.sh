# Two commands are run in turn, and the gain of the second is measured.
cat >work.py <<'END'
import sys
sum(i * i for i in range(int(sys.argv[1]) * int(sys.argv[2])))
END
"$MEMSPY" verify --rounds 3 "python3 work.py 4" "python3 work.py 1" -- 400000 >out.txt
sed -E 's/[0-9.]+ (ms|s)\b/TIME/g; s/-?[0-9.]+%/N%/g; s/[0-9.]+ times/N times/; /^Note/d; /^these times/d' out.txt
"$MEMSPY" verify --rounds 3 --json "python3 work.py 4" "python3 work.py 1" -- 400000 >out.json
python3 - <<'END'
import json
found = json.load(open("out.json"))
gain = found["gain"]
assert found["rounds"] == 3 and len(found["before"]["seconds"]) == 3, found
assert gain["low"] <= gain["measured"] <= gain["high"], gain
assert found["prediction"] is None
print("ok")
END

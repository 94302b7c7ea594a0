# Sourced by scripts of sampled replays.

# whole_and_sampled TRACE WINDOW OPTION...: replays a lackey trace whole, then a tenth of it by four seeds; 1.json is the whole run's
# report, 2.json to 5.json are the others'.
whole_and_sampled() {
	local trace=$1 window=$2 seed run
	shift 2
	"$MEMSPY" replay -q --db runs.db "$@" -f lackey "$trace" || echo "whole: $?"
	for seed in 1 2 3 4; do
		"$MEMSPY" replay -q --db runs.db "$@" --sample 1/10 --window "$window" --sample-seed $seed -f lackey "$trace" || echo "$seed: $?"
	done
	for run in 1 2 3 4 5; do
		"$MEMSPY" report --db runs.db --json $run -o $run.json
	done
}

// timeline.js - the caches over time.

const MOST_AREAS = 8;

function occupancyChart(level) {
	const timed = level.occupants.filter((o) => o.slices !== null && o.data !== null), others = level.occupants.find((o) => o.data === null);
	const n = timed.length ? timed[0].slices.length : others && others.slices ? others.slices.length : 0;
	const rest = new Array(n).fill(0), add = (o) => o.slices.forEach((v, i) => { rest[i] += v; });
	const apart = timed.filter((o, i) => i < MOST_AREAS && o.mean_lines >= SMALL * level.lines);
	timed.slice(apart.length).forEach(add);
	if (others && others.slices)
		add(others);
	const series = apart.map((o, i) => ({ label: o.data, of: "series-" + i, values: o.slices, mean: o.mean_lines, peak: o.peak_lines }));
	if (rest.some((v) => v > 0))
		series.push({ label: "other data", of: "others", values: rest, mean: rest.reduce((s, v) => s + v, 0) / n, peak: null });
	if (n === 0)
		return h("p", {}, "Nothing was in this level long enough to be told.");
	return [areas(series, level.lines, "Share of " + level.level + " over the run: " + series.map((s) => s.label + " " + percent(s.mean, level.lines)).join(", "),
		count(level.steps) + " steps, " + plural(n, "slice")),
	legend(series.map((s) => ({ of: s.of, label: [name(s.label), " ", percent(s.mean, level.lines), s.peak === null ? "" : ", at most " + percent(s.peak, level.lines)] })))];
}

function timelinePart(run) {
	const levels = run.data.evictions.occupancy;
	return [helpFor("timeline"),
		levels.length === 0 && h("p", {}, "This run does not know what was in the caches over time: an older memspy made it."),
		levels.map((level) => h("section", {}, h("h3", {}, level.level, " over time"), occupancyChart(level))),
		run.data.report.phases.length > 0 && phasesPart(run)];
}

// timeline.js - the caches over time.

const MOST_AREAS = 8,
	FINE = 1024; // parts of the run

// Data has the same color in all pictures of a run: that of its place by stall time. Others take what is left.
function colorsOfData(run, names) {
	const known = seriesOfData(run),
		colors = new Map(),
		free = new Set(Array.from({ length: MOST_AREAS }, (_, k) => "series-" + k));
	for (const text of names) {
		const place = known.get(run.rowOfData.get(text));
		if (place === undefined) continue;
		colors.set(text, "series-" + place);
		free.delete("series-" + place);
	}
	for (const text of names) {
		if (colors.has(text)) continue;
		const [next] = free;
		colors.set(text, next || "others");
		free.delete(next);
	}
	return colors;
}

// A heading with a picture that can be copied.
function pictured(title, ...content) {
	const section = h("div", {});
	return add(section, [pictureHead("h4", title, () => section), content]);
}

// Numbers of the steps along the axis.
function stepTicks({ steps }) {
	return roundTicks(steps, chartWidth(), { whole: true });
}

// "steps 12.6M to 16.8M: double.from 57.1%, double.to 40.2%", the largest first.
function sliceWords(level, series, text) {
	return (i) => {
		const from = i * level.slice_steps,
			values = series
				.filter((s) => s.values[i] > 0)
				.sort((a, b) => b.values[i] - a.values[i])
				.map((s) => s.label + " " + text(s.values[i]));
		return (
			"steps " + count(from) + " to " + count(Math.min(level.steps, from + level.slice_steps)) + ": " + (values.join(", ") || "none")
		);
	};
}

function occupancyChart(run, level, crosshair) {
	const timed = level.occupants.filter((o) => o.slices !== null && o.data !== null),
		others = level.occupants.find((o) => o.data === null);
	const n = timed.length ? timed[0].slices.length : others && others.slices ? others.slices.length : 0;
	const rest = new Array(n).fill(0),
		add = (o) =>
			o.slices.forEach((v, i) => {
				rest[i] += v;
			});
	const apart = timed.filter((o, i) => i < MOST_AREAS && o.mean_lines >= SMALL * level.lines);
	timed.slice(apart.length).forEach(add);
	if (others && others.slices) add(others);
	const colors = colorsOfData(
		run,
		apart.map((o) => o.data),
	);
	const series = apart.map((o) => ({
		label: o.data,
		of: colors.get(o.data),
		values: o.slices,
		mean: o.mean_lines,
		peak: o.peak_lines,
	}));
	if (rest.some((v) => v > 0))
		series.push({
			label: "other data",
			of: "others",
			values: rest,
			mean: rest.reduce((s, v) => s + v, 0) / n,
			peak: null,
		});
	if (n === 0) return h("p", {}, "No data was in this level long enough to be recorded.");
	const picture = areas(
		series,
		level.lines,
		"Share of " + level.level + " over the run: " + series.map((s) => s.label + " " + percent(s.mean, level.lines)).join(", "),
		"steps, in " + plural(n, "slice"),
		stepTicks(level),
	);
	return [
		crosshair.add(
			picture,
			n,
			chartWidth(),
			260,
			sliceWords(level, series, (v) => percent(v, level.lines)),
		),
		legend(
			series.map((s) => ({
				of: s.of,
				label: [
					name(s.label),
					" ",
					percent(s.mean, level.lines),
					s.peak === null ? "" : ", at most " + percent(s.peak, level.lines),
				],
			})),
		),
	];
}

// The same as figures, each with its interval, for a sampled run.
function missesTable(level, series, rate) {
	const rows = series[0].values.map((_, i) => i),
		ends = (one, i) => (one.low && one.low[i] !== null ? { low: rate(one.low, i), high: rate(one.high, i) } : null);
	return h(
		"details",
		{ class: "slices" },
		h("summary", {}, "These misses as figures, with their intervals"),
		new ListTable({
			caption: "Misses of " + level.level + " by slice",
			rows,
			columns: [
				{
					key: "until",
					label: "Until",
					value: (i) => i,
					cell: (i) => percent(Math.min((i + 1) * level.slice_steps, level.steps), level.steps),
				},
			].concat(
				series.map((one, k) => ({
					key: "series-" + k,
					label: one.label,
					value: (i) => one.values[i],
					cell: (i) => fixed(one.values[i], 1),
					between: (i) => betweenMeans(ends(one, i)),
				})),
			),
		}).element,
	);
}

// Misses of a level in up to a thousand equal parts of the run, from its slices: {n, steps, whole, of(data)}; null: they
// are not known, or only of windows.
function finely(run, l) {
	const slices = isSampled(run) || l < 0 ? null : slicesOf(run);
	if (!slices) return null;
	const n = Math.min(FINE, slices.n),
		steps = slices.steps / n;
	const spread = (values) => {
		const parts = new Array(n).fill(0);
		values.forEach((value, i) => {
			const from = slices.start(i) / steps,
				to = slices.ends[i] / steps;
			for (let k = Math.floor(from); value > 0 && k < n && k < to; k++)
				parts[k] += (value * (Math.min(to, k + 1) - Math.max(from, k))) / (to - from);
		});
		return parts;
	};
	const of = (data) => {
		const t = run.tables.slice_bins,
			values = new Array(slices.n).fill(0);
		for (let r = 0; r < t.length; r++)
			if (t.get(r, "data") === data) values[t.get(r, "slice")] += t.get(r, "levels." + l + ".misses");
		return spread(values);
	};
	return { n, steps, whole: spread(Array.from(slices.misses[l])), of };
}

// Misses that brought lines in, per thousand steps of a slice, by data.
function missesChart(run, level, crosshair) {
	const seen = isSampled(run), // only windows were simulated
		timed = level.occupants.filter((o) => o.came !== null && o.data !== null),
		others = level.occupants.filter((o) => o.came !== null && o.data === null);
	const n = timed.length ? timed[0].came.length : 0,
		sum = (o) => o.came.reduce((s, v) => s + v, 0);
	if (n === 0) return null;
	const order = timed.slice().sort((a, b) => sum(b) - sum(a)),
		all = timed.concat(others).reduce((s, o) => s + sum(o), 0);
	const apart = order.filter((o, i) => i < 4 && sum(o) >= SMALL * all),
		colors = colorsOfData(
			run,
			apart.map((o) => o.data),
		),
		whole = new Array(n).fill(0);
	timed.concat(others).forEach((o) =>
		o.came.forEach((v, i) => {
			whole[i] += v;
		}),
	);
	const fine = finely(
			run,
			run.levels.findIndex((one) => one.name === level.level),
		),
		parts = fine ? { steps: fine.steps * fine.n, slice_steps: fine.steps } : level;
	// The last slice may be shorter.
	const rate = (values, i) =>
		(1000 * values[i]) / Math.max(1, Math.min(parts.slice_steps, parts.steps - i * parts.slice_steps));
	const rates = (values) => values.map((_, i) => rate(values, i));
	const series = [
		{ label: "all data", of: "others", values: rates(fine ? fine.whole : whole), total: all, low: level.came_low, high: level.came_high },
	].concat(
		apart.map((o) => ({
			label: o.data,
			of: colors.get(o.data),
			values: rates(fine ? fine.of(run.rowOfData.get(o.data)) : o.came),
			total: sum(o),
			low: o.came_low,
			high: o.came_high,
		})),
	);
	const known = Boolean(level.came_low) && level.came_low.some((v) => v !== null),
		most = Math.max(...series[0].values) || 1,
		ends = known ? rates(level.came_high.map((v) => v || 0)) : [],
		highest = Math.max(most, Math.min(Math.max(0, ...ends), 2 * most)),
		inAll = seen ? " in windows" : " in all";
	const within = known
		? { low: level.came_low.map((v, i) => (v === null ? null : rate(level.came_low, i))), high: ends }
		: null;
	return pictured(
		"Misses of " + level.level,
		crosshair.add(
			lines(
				series,
				highest,
				"Misses of " +
					level.level +
					" for each thousand steps over the run: " +
					series.map((s) => s.label + " " + count(s.total) + inAll).join(", "),
				"steps; misses for each 1000 of them" + (fine ? ", in " + plural(fine.n, "slice") : ""),
				stepTicks(parts),
				roundTicks(highest, 160, { up: true }),
				within,
			),
			fine ? fine.n : n,
			chartWidth(),
			160,
			sliceWords(parts, series, (v) => fixed(v, 1)),
		),
		legend(
			series
				.map((s) => ({ of: s.of, label: [name(s.label), " ", count(s.total), inAll] }))
				.concat(
					within
						? {
								of: "band",
								label:
									"95% interval of all data" +
									(Math.max(...ends) > highest ? " (it extends above the picture)" : ""),
							}
						: [],
				),
		),
		seen && !known && h("p", { class: "quiet" }, "These misses have no intervals: there are too few windows, or slices are too short."),
		known && missesTable(level, series, rate),
	);
}

function setMapOf(run, level) {
	const i = run.levels.findIndex((l) => l.name === level.level);
	return i < 0 || isSampled(run) ? null : new SetMap(run, i).element;
}

// Why there are no pictures of sets.
function noSetsNote(run) {
	const why = isSampled(run) ? "a sampled run" : run.several ? "several processors" : null;
	return why && h("p", { class: "quiet" }, "Misses by cache set are not recorded for " + why + ".");
}

function timelinePart(run, page) {
	const levels = run.data.evictions.occupancy,
		crosshair = new Crosshair();
	return [
		helpFor("timeline"),
		samplingNote(run, "timeline"),
		slicesOf(run) && (page.overTime = new OverTime(run, page, crosshair)).element,
		levels.length === 0 &&
			h("p", {}, "This run has no contents of caches over time: it was made by an older version of memspy."),
		levels.map((level) =>
			h(
				"section",
				{},
				h("h3", {}, level.level, " over time"),
				missesChart(run, level, crosshair),
				pictured("Lines of " + level.level + (isSampled(run) ? " found by windows" : ""), occupancyChart(run, level, crosshair)),
				setMapOf(run, level),
			),
		),
		levels.length > 0 && noSetsNote(run),
		run.data.report.phases.length > 0 && phasesPart(run),
	];
}

// address_heat.js - references and misses of a large data structure by offset in its object, as lanes of heat.

const RANGE_LANE = 16, // height of a lane
	RANGE_TEXT = 18; // and of the text above it

// {bytes: of a range, n: ranges, lanes: [{label, values: []}]}; null: addresses are not known.
function rangesOf(run, data) {
	const t = run.tables.ranges,
		rows = t ? run.rowsOf("ranges", "data", data) : [];
	if (rows.length === 0) return null;
	const n = 1 + Math.max(...rows.map((row) => t.get(row, "range"))),
		lanes = [{ key: "references", label: "References" }],
		last = run.levels.length - 1;
	if (last >= 0) lanes.push({ key: "first_misses", label: run.levels[0].name + " misses" });
	if (last > 0) lanes.push({ key: "last_misses", label: run.levels[last].name + " misses" });
	for (const lane of lanes) {
		lane.values = new Array(n).fill(0);
		for (const row of rows) lane.values[t.get(row, "range")] = t.get(row, lane.key);
	}
	return { bytes: t.get(rows[0], "bytes"), n, lanes };
}

// One path for all ranges of the same heat.
function heatLane(lane, top, width) {
	const n = lane.values.length,
		most = Math.max(...lane.values),
		x = (i) => ((i / n) * width).toFixed(2),
		paths = new Map();
	lane.values.forEach((value, i) => {
		if (!(value > 0)) return;
		const step = Math.max(1, Math.ceil(Math.sqrt(value / most) * STEPS)),
			d = "M" + x(i) + "," + (top + RANGE_TEXT) + "H" + x(i + 1) + "v" + RANGE_LANE + "H" + x(i) + "Z";
		paths.set(step, (paths.get(step) || "") + d);
	});
	return [
		svg("text", { class: "tick lane-text", x: 0, y: top + RANGE_TEXT - 5 }, lane.label),
		svg("rect", { class: "lane-back", x: 0, y: top + RANGE_TEXT, width, height: RANGE_LANE }),
		Array.from(paths, ([step, d]) => svg("path", { class: "lane-" + step, d })),
	];
}

function rangeWords(ranges, i) {
	return (
		size(i * ranges.bytes) +
		" to " +
		size((i + 1) * ranges.bytes) +
		": " +
		ranges.lanes.map((lane) => lane.label + " " + count(Math.round(lane.values[i]))).join(", ")
	);
}

// The part of the ranges that has most of a figure, in words.
function hottestRange(ranges, lane) {
	const all = lane.values.reduce((s, v) => s + v, 0),
		at = lane.values.indexOf(Math.max(...lane.values));
	return all > 0 ? lane.label + ": most at " + size(at * ranges.bytes) + " (" + percent(lane.values[at], all) + ")" : lane.label + ": none";
}

function addressHeat(run, data) {
	const ranges = rangesOf(run, data);
	if (ranges === null) return null;
	const width = Math.min(448, Math.max(260, innerWidth - 40)),
		each = RANGE_TEXT + RANGE_LANE,
		high = ranges.lanes.length * each,
		words = ranges.lanes.map((lane) => hottestRange(ranges, lane)).join("; "),
		picture = svg(
			"svg",
			{ class: "chart address-heat", viewBox: "0 0 " + width + " " + (high + 26), role: "img", "aria-label": "References and misses by offset. " + words },
			ranges.lanes.map((lane, i) => heatLane(lane, i * each, width)),
			timeAxis(width, high, byteTicks(ranges.n * ranges.bytes, width)),
		),
		section = h("section", { id: "address-heat" }, pictureHead("h4", "Addresses", () => section, undefined, "Addresses of " + run.dataName(data)));
	return add(section, [
		h(
			"p",
			{ class: "quiet" },
			"By offset in the object, in " + plural(ranges.n, "range") + " of " + size(ranges.bytes) + "; estimated from observed lines. The stronger the color, the more. If there are several objects, they are added.",
		),
		new Crosshair().add(picture, ranges.n, width, high, (i) => rangeWords(ranges, i)),
		h(
			"details",
			{},
			h("summary", {}, "As figures"),
			new ListTable({
				caption: "References and misses by offset",
				rows: Array.from({ length: ranges.n }, (_, i) => i),
				columns: [{ key: "from", label: "From", value: (i) => i, cell: (i) => size(i * ranges.bytes) }].concat(
					ranges.lanes.map((lane) => ({ key: lane.key, label: lane.label, value: (i) => lane.values[i], cell: (i) => count(Math.round(lane.values[i])) })),
				),
			}).element,
		),
	]);
}

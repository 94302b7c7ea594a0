// pictures.js - bars and areas as SVG. Colors have names in base.css; every picture has a textual
// description.

// parts: [{value, of: class, label}]; one bar as wide as `whole`.
function bar(parts, whole, label) {
	const width = 1000,
		shapes = [];
	let x = 0;
	for (const part of parts) {
		const w = whole > 0 ? (part.value / whole) * width : 0;
		if (w > 0)
			shapes.push(
				svg(
					"rect",
					{
						x: x.toFixed(2),
						y: 0,
						width: w.toFixed(2),
						height: 10,
						class: "fill-" + part.of,
					},
					svg("title", {}, part.label),
				),
			);
		x += w;
	}
	return svg(
		"svg",
		{
			class: "bar",
			viewBox: "0 0 1000 10",
			preserveAspectRatio: "none",
			role: "img",
			"aria-label": label || parts.map((p) => p.label).join(", "),
		},
		shapes,
	);
}

function legend(entries) {
	return h(
		"ul",
		{ class: "legend" },
		entries.map((e) =>
			h(
				"li",
				{},
				svg(
					"svg",
					{ class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" },
					svg("rect", { width: 10, height: 10, class: "fill-" + e.of }),
				),
				" ",
				e.label,
			),
		),
	);
}

const CAUSES = [
	{ key: "first", label: "first reference" },
	{ key: "replacement", label: "replacement" },
	{ key: "invalidation", label: "invalidation" },
];

// What a fully associative cache would have done with replacement misses; nothing if they are not divided.
function dividedReplacement(get, level) {
	const at = "levels." + level + ".",
		conflict = get(at + "replacement.conflict"),
		capacity = get(at + "replacement.capacity"),
		all = get(at + "causes.replacement") || 0;
	if (!conflict && !capacity) return null; // also where nothing is divided
	const within = (which) => ({
		low: get(at + "replacement.intervals." + which + ".low"),
		high: get(at + "replacement.intervals." + which + ".high"),
	});
	return [
		{ value: capacity, of: "replacement", label: "capacity", within: within("capacity") },
		{ value: conflict, of: "conflict", label: "conflict", within: within("conflict") },
		{ value: Math.max(0, all - capacity - conflict), of: "ambiguous", label: "capacity or conflict" },
	].filter((p) => p.value > 0);
}

// Misses of a level by cause: a bar and a text. get(path) has the figures, bounds(path) their intervals.
function causesBar(get, level, bounds) {
	const divided = dividedReplacement(get, level);
	const parts = CAUSES.flatMap((c) => {
		const value = get("levels." + level + ".causes." + c.key) || 0;
		return c.key === "replacement" && divided ? divided : { value, of: c.key, label: c.label, key: c.key };
	});
	const all = parts.reduce((sum, p) => sum + p.value, 0);
	for (const p of parts) {
		const within = p.key ? bounds("levels." + level + ".causes." + p.key) : p.within,
			known = p.value > 0 && within && within.high ? betweenCounts(within) : "";
		p.label = p.label + ": " + count(p.value) + " (" + percent(p.value, all) + ")" + (known && ", 95%: " + known);
	}
	return h(
		"div",
		{ class: "causes" },
		bar(parts, all),
		legend(parts.filter((p) => p.value > 0 || p.key !== "invalidation")),
	);
}

// Charts use the available width, so that their labels keep their size on a phone.
function chartWidth() {
	return Math.max(240, innerWidth - 110);
}

// Stacked areas over time. series: [{label, of, values: []}], highest: of the axis.
function areas(series, highest, label, below, last) {
	const width = chartWidth(),
		height = 260,
		n = series.length ? series[0].values.length : 0;
	const x = (i) => (n > 1 ? (i / n) * width : 0),
		y = (v) => height - (highest > 0 ? (v / highest) * height : 0);
	const floor = new Array(n).fill(0),
		shapes = [];
	for (const one of series) {
		let upper = "",
			lower = "";
		for (let i = 0; i < n; i++) {
			const bottom = floor[i],
				top = bottom + (one.values[i] || 0);
			upper +=
				"L" +
				x(i).toFixed(1) +
				"," +
				y(top).toFixed(1) +
				"L" +
				x(i + 1).toFixed(1) +
				"," +
				y(top).toFixed(1);
			lower =
				"L" +
				x(i + 1).toFixed(1) +
				"," +
				y(bottom).toFixed(1) +
				"L" +
				x(i).toFixed(1) +
				"," +
				y(bottom).toFixed(1) +
				lower;
			floor[i] = top;
		}
		if (n > 0)
			shapes.push(
				svg(
					"path",
					{ class: "area fill-" + one.of, d: "M" + upper.slice(1) + lower + "Z" },
					svg("title", {}, one.label),
				),
			);
	}
	return chart(width, height, shapes, ["0%", "50%", "100%"], label, below, last || "end");
}

// The area between two rows of figures over time, slice by slice; low may be null if not known.
function band(within, highest, width, height) {
	const n = within.low.length,
		x = (i) => ((i / n) * width).toFixed(1),
		y = (v) => (height - Math.min(1, v / highest) * height).toFixed(1);
	let d = "";
	for (let i = 0; i < n; i++)
		if (within.low[i] !== null)
			d += "M" + x(i) + "," + y(within.low[i]) + "V" + y(within.high[i]) + "H" + x(i + 1) + "V" + y(within.low[i]) + "Z";
	return svg("path", { class: "area fill-band", d }, svg("title", {}, "95% interval"));
}

// Lines over time; series as above. within: an interval, {low: [], high: []}, or null.
function lines(series, highest, label, below, last, ticks, within) {
	const width = chartWidth(),
		height = 160,
		shapes = within ? [band(within, highest, width, height)] : [];
	for (const one of series) {
		const n = one.values.length;
		const points = one.values
			.map((v, i) =>
				v === null
					? null
					: (n > 1 ? ((i + 0.5) / n) * width : 0).toFixed(1) +
						"," +
						(height - (highest > 0 ? (v / highest) * height : 0)).toFixed(1),
			)
			.filter((p) => p !== null);
		if (points.length > 0)
			shapes.push(
				svg(
					"polyline",
					{ class: "line stroke-" + one.of, points: points.join(" ") },
					svg("title", {}, one.label),
				),
			);
	}
	return chart(width, height, shapes, ticks, label, below, last);
}

// ticks: of the vertical axis, as texts at equal distances or as roundTicks() has them. last: of the horizontal one likewise,
// or the text at its end. more: height of what is below it.
function chart(width, height, shapes, ticks, label, below, last, more = 0) {
	const left = 64,
		narrow = width < 500, // the words below need a line of their own
		marks = marksOf(ticks).map(({ at, text }) => {
			const y = height * (1 - at);
			return [
				svg("line", { class: "grid", x1: 0, x2: width, y1: y, y2: y }),
				svg("text", { x: -6, y: y + 4, class: "tick", "text-anchor": "end" }, text),
			];
		});
	return svg(
		"svg",
		{
			class: "chart",
			viewBox: -left + " -10 " + (width + left + 10) + " " + (height + more + (narrow ? 58 : Array.isArray(last) ? 54 : 40)),
			role: "img",
			"aria-label": label,
		},
		marks,
		shapes,
		timeAxis(width, height, Array.isArray(last) ? last : ["start", last]),
		svg(
			"text",
			narrow
				? { x: 6 - left, y: height + 41, class: "tick" }
				: { x: width / 2, y: height + (Array.isArray(last) ? 38 : 22), class: "tick", "text-anchor": "middle" },
			below,
		),
	);
}

// Texts at equal distances, or where roundTicks() has them, with a mark each; they stay within the axis.
function timeAxis(width, height, ticks) {
	return marksOf(ticks).map((mark) => {
		const { x, anchor } = tickSpan(mark, width);
		return [
			svg("line", { class: "grid", x1: x, x2: x, y1: height, y2: height + 5 }),
			svg("text", { x, y: height + 20, class: "tick", "text-anchor": anchor }, mark.text),
		];
	});
}

// line_use.js - how a data structure uses cache lines: used bytes, access kind, misses by cache size, and code that uses
// lines again.

const USE_ROW = 14, // height of a line's bytes
	CURVE_HEIGHT = 130;

function lineUsesOf(run, data) {
	const t = run.tables.line_use;
	return (t ? run.rowsOf("line_use", "data", data) : []).map((row) => ({
		level: run.levels[t.get(row, "level")],
		used: t.get(row, "used_bytes"),
		low: t.get(row, "low"),
		high: t.get(row, "high"),
		written: t.get(row, "written_bytes"),
	}));
}

// "8.0 of 64 bytes (7.8 to 8.2)", as in text reports.
function usedWords(use) {
	const between = use.high - use.low >= 0.1 ? " (" + fixed(use.low, 1) + " to " + fixed(use.high, 1) + ")" : "";
	return fixed(use.used, 1) + " of " + use.level.line + " bytes" + between;
}

// A line as wide as the picture: its used bytes, and how far their number may be off.
function lineBar(use, width) {
	const x = (bytes) => ((bytes / use.level.line) * width).toFixed(1),
		rect = (of, from, to) => svg("rect", { class: of, x: x(from), y: 1, width: x(to - from), height: USE_ROW - 2 });
	return svg(
		"svg",
		{
			class: "line-use",
			viewBox: "0 0 " + width + " " + USE_ROW,
			role: "img",
			"aria-label": use.level.name + ": " + usedWords(use) + " of each fetched line are used",
		},
		rect("lane-back", 0, use.level.line),
		rect("fill-series-0", 0, use.used),
		use.high - use.low >= 0.1 && rect("use-between", use.low, use.high),
	);
}

function useOf(use, width) {
	const words = [];
	if (use.used !== null) words.push(usedWords(use));
	if (use.written !== null) words.push("written: " + fixed(use.written, 1) + " of " + use.level.line);
	return h(
		"div",
		{ class: "use-of-level" },
		h("p", {}, h("b", {}, use.level.name), " " + words.join("; ")),
		use.used !== null && lineBar(use, width),
	);
}

function accessOf(run, data) {
	const t = run.tables.access,
		[row] = t ? run.rowsOf("access", "data", data) : [];
	if (row === undefined) return null;
	const stride = t.get(row, "stride"),
		share = t.get(row, "stride_share");
	return h(
		"p",
		{},
		"Access: ",
		h("b", { id: "figure-access", title: HELP["access_" + t.get(row, "kind")] || null }, t.get(row, "kind")),
		share > 0 && ". Most frequent stride: " + plural(stride, "byte") + " (" + percent(share, 1) + ")",
	);
}

// --- misses by cache size ---

function curveOf(run, data) {
	const t = run.tables.miss_curves,
		refs = run.dataTable.get(data, "references.read") + run.dataTable.get(data, "references.write"),
		points = (t ? run.rowsOf("miss_curves", "data", data) : []).map((row) => ({
			size: t.get(row, "size"),
			misses: t.get(row, "misses"),
			low: t.get(row, "low"),
			high: t.get(row, "high"),
		}));
	return { points, refs: knowsReferences(run, "data") ? refs : 0 };
}

// A cache of each size has a step of the picture; sizes between two of them are at a part of it.
class MissCurve {
	constructor(run, curve) {
		const { points, refs } = curve;
		Object.assign(this, { run, points, refs });
		this.most = Math.max(...points.map((p) => p.high));
		if (refs > 0) this.most = Math.min(this.most, refs);
		this.width = Math.min(380, Math.max(200, innerWidth - 110));
		this.each = this.width / points.length;
	}

	x(bytes) {
		const at = Math.log2(bytes / this.points[0].size);
		return Math.min(this.width, Math.max(0, (at + 0.5) * this.each));
	}

	y(misses) {
		return CURVE_HEIGHT * (1 - Math.min(1, misses / this.most));
	}

	path(key) {
		return this.points.map((p) => this.x(p.size).toFixed(1) + "," + this.y(p[key]).toFixed(1));
	}

	// Names of levels that would cover one another go to rows of their own.
	marks() {
		const ends = []; // of each row
		return this.run.levels.map((level) => {
			const x = this.x(level.size),
				left = x > this.width - 40,
				from = left ? x - 36 : x,
				row = ends.findIndex((end) => end < from),
				at = row < 0 ? ends.length : row;
			ends[at] = from + 40;
			return [
				svg("line", { class: "level-mark", x1: x.toFixed(1), x2: x.toFixed(1), y1: 0, y2: CURVE_HEIGHT }),
				svg(
					"text",
					{ class: "tick level-name", x: (left ? x - 4 : x + 4).toFixed(1), y: 12 + 14 * at, "text-anchor": left ? "end" : "start" },
					level.name,
				),
			];
		});
	}

	// Those of a third of the points each.
	sizes() {
		const last = this.points.length - 1;
		return last % 3 === 0 ? [0, 1, 2, 3].map((i) => size(this.points[(last / 3) * i].size)) : [size(this.points[0].size), size(this.points[last].size)];
	}

	words(i) {
		const p = this.points[i],
			between = p.high - p.low > 0.02 * p.misses ? " (" + betweenCounts({ low: p.low, high: p.high }) + ")" : "";
		return size(p.size) + ": " + count(Math.round(p.misses)) + " misses" + between + (this.refs > 0 ? ", " + percent(p.misses, this.refs) + " of references" : "");
	}

	get element() {
		const { points, most } = this,
			last = points.length - 1,
			label = "Misses by size of a fully associative cache: " + [0, last].map((i) => this.words(i)).join("; "),
			picture = chart(
				this.width,
				CURVE_HEIGHT,
				[
					svg("path", { class: "fill-band", d: "M" + this.path("low").join("L") + "L" + this.path("high").reverse().join("L") + "Z" }),
					svg("polyline", { class: "line stroke-series-0", points: this.path("misses").join(" ") }),
					this.marks(),
					svg("g", { transform: "translate(" + (this.each / 2).toFixed(1) + " 0)" }, timeAxis(this.width - this.each, CURVE_HEIGHT, this.sizes())),
				],
				this.refs > 0 ? percentTicks(most / this.refs, CURVE_HEIGHT) : roundTicks(most, CURVE_HEIGHT, { up: true }),
				label,
				"size of the cache",
				["", ""],
			);
		picture.classList.add("miss-curve");
		return new Crosshair().add(picture, points.length, this.width, CURVE_HEIGHT, (i) => this.words(i));
	}

	table() {
		const column = (key, label, value) => ({ key, label, value, cell: (p) => count(Math.round(value(p))) });
		return new ListTable({
			caption: "Misses by cache size",
			rows: this.points,
			columns: [
				{ key: "size", label: "Size", value: (p) => p.size, cell: (p) => size(p.size) },
				Object.assign(column("misses", "Misses", (p) => p.misses), {
					between: (p) => (p.high > p.low ? betweenCounts({ low: p.low, high: p.high }) : ""),
				}),
			].concat(
				this.refs > 0 ? [{ key: "rate", label: "Miss rate", value: (p) => p.misses / this.refs, cell: (p) => percent(p.misses, this.refs) }] : [],
			),
		}).element;
	}
}

function curvePart(run, data) {
	const curve = curveOf(run, data);
	if (!curve.points.some((p) => p.misses > 0)) return null;
	const picture = new MissCurve(run, curve);
	return [
		h("h5", {}, (curve.refs > 0 ? "Miss rate" : "Misses") + " by size of the cache"),
		h("p", { class: "quiet" }, "Estimated for a fully associative cache. Dashed: the sizes of this machine's levels."),
		picture.element,
		h("details", {}, h("summary", {}, "As figures"), picture.table()),
	];
}

// --- reuse ---

function reusesOf(run, data) {
	const t = run.tables.reuses,
		place = (row, end) => ({ code: t.get(row, end + ".code"), file: t.get(row, end + ".file"), line: t.get(row, end + ".line") });
	return (t ? run.rowsOf("reuses", "data", data) : []).map((row) => ({
		from: place(row, "from"),
		to: place(row, "to"),
		misses: t.get(row, "misses"),
		bytes: t.get(row, "bytes_between"),
		low: t.get(row, "bytes_between_low"),
		high: t.get(row, "bytes_between_high"),
	}));
}

function nearestPower(bytes) {
	return bytes >= 1 ? 2 ** Math.round(Math.log2(bytes)) : 0;
}

function reusePart(run, data) {
	const rows = reusesOf(run, data),
		all = rows.reduce((sum, r) => sum + r.misses, 0),
		words = ({ code, line }) => run.codeName(code) + (line > 0 ? ":" + line : ""),
		source = (p) => (p.line > 0 ? run.data.lines.files.findIndex((f) => f.file === p.file) : -1),
		place = (p) => link(source(p) < 0 ? codeAddress(run, p.code) : lineAddress(run, source(p), p.line), name(words(p))),
		column = (key, label) => ({ key, label, text: true, value: (r) => words(r[key]), cell: (r) => place(r[key]) });
	if (rows.length === 0) return null;
	rows.sort((a, b) => b.misses - a.misses);
	return [
		h("h5", {}, "Misses of " + run.levels[0].name + " on lines that were used before"),
		new ListTable({
			caption: "Reuse",
			rows,
			columns: [
				column("from", "Used before by"),
				column("to", "Used again by"),
				{ key: "share", label: "Share", help: "reuse", value: (r) => r.misses, cell: (r) => percent(r.misses, all) },
				{ key: "bytes", label: "Between", help: "between", value: (r) => r.bytes, cell: (r) => size(nearestPower(r.bytes)), between: (r) => (r.high > r.low ? size(nearestPower(r.low)) + " to " + size(nearestPower(r.high)) : "") },
			],
		}).element,
	];
}

// Nothing of runs in which no lines were observed.
function lineUseOf(run, data) {
	const uses = lineUsesOf(run, data),
		parts = [
			uses.map((use) => useOf(use, Math.min(448, Math.max(240, innerWidth - 40)))),
			accessOf(run, data),
			curvePart(run, data),
			reusePart(run, data),
		];
	if (uses.length === 0 && parts.slice(1).every((part) => part === null)) return null;
	return h(
		"section",
		{ id: "line-use" },
		h("h4", {}, "Use of cache lines"),
		uses.some((use) => use.used !== null) && h("p", { class: "quiet" }, "Bytes of each fetched line that are used until it is evicted; estimated from observed lines."),
		parts,
	);
}

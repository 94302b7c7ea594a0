// over_time.js - stall over the run by data or function, with lanes of phases, functions and processors below. A part that
// is marked with the pointer, or with Shift and the arrow keys, is the range of other parts.

const LANE = 14, // height of a lane, and of the text above it
	LANE_TEXT = 17,
	MOST_LANES = 8,
	THREAD_LANES = 16,
	CLICK = 3; // pixels that a click may move

const GROUPS_OVER_TIME = [
	{ key: "data", label: "Data", name: (run, i) => run.dataName(i) },
	{ key: "code", label: "Function", name: (run, i) => run.codeName(i) },
];

class OverTime {
	constructor(run, page, crosshair) {
		this.run = run;
		this.page = page;
		this.crosshair = crosshair;
		this.slices = slicesOf(run);
		this.width = chartWidth();
		this.by = GROUPS_OVER_TIME[0];
		this.columns = this.merge();
		this.choose = choiceList("over-time-by", "by", GROUPS_OVER_TIME, () => this.draw());
		this.picture = h("div", { class: "over-time" });
		this.element = h(
			"section",
			{ id: "over-time" },
			h("h3", {}, "Stall time over the run"),
			h("div", { class: "tools" }, h("label", { for: "over-time-by" }, "By "), this.choose, pictureIn("Stall time over the run", () => this.picture)),
			this.picture,
			h(
				"p",
				{ class: "quiet" },
				"Drag over the chart, or hold Shift and use the arrow keys and Enter, to restrict all parts to a time range. Stall time of a slice is estimated from its misses." +
					(run.run.sampling ? " Only windows were simulated." : ""),
			),
		);
		this.draw();
	}

	// Slices that are narrower than a pixel are drawn together: [from, to) of each column.
	merge() {
		const each = Math.max(1, Math.ceil(this.slices.n / this.width)),
			columns = [];
		for (let i = 0; i < this.slices.n; i += each) columns.push({ from: i, to: Math.min(this.slices.n, i + each) });
		return columns;
	}

	x(slice) {
		return (this.slices.start(slice) / this.slices.steps) * this.width;
	}

	edge(slice) {
		return slice >= this.slices.n ? this.width : this.x(slice);
	}

	// Of the whole run, as stall time is; slices have the steps of windows.
	steps(column) {
		return Math.max(1, (this.slices.ends[column.to - 1] - this.slices.start(column.from)) * this.slices.stepsOfRun);
	}

	// The largest by stall, and by column the stall cycles of each for a thousand steps.
	series() {
		const all = Array.from(this.slices.stallBy(this.by.key, 0, this.slices.n)).sort((a, b) => b[1] - a[1] || a[0] - b[0]),
			whole = this.run.totals.stall_cycles,
			apart = all.filter((e, k) => k < MOST_LANES && e[1] >= SMALL * whole);
		const colors =
			this.by.key === "data"
				? colorsOfData(
						this.run,
						apart.map(([row]) => this.run.dataName(row)),
					)
				: null;
		const series = apart.map(([row, sum], k) => ({ row, sum, label: this.by.name(this.run, row), of: colors ? colors.get(this.by.name(this.run, row)) : "series-" + k, values: [] })),
			rest = { row: -1, sum: whole - apart.reduce((s, e) => s + e[1], 0), label: "others", of: "others", values: [] },
			at = new Map(series.map((s) => [s.row, s]));
		for (const column of this.columns) {
			const each = 1000 / this.steps(column);
			let others = 0;
			for (let i = column.from; i < column.to; i++) others += this.slices.rest[i];
			series.forEach((s) => s.values.push(0));
			for (const [row, stall] of this.slices.stallBy(this.by.key, column.from, column.to))
				if (at.has(row)) at.get(row).values[at.get(row).values.length - 1] = stall * each;
				else others += stall;
			rest.values.push(others * each);
		}
		return series.concat(rest.sum >= SMALL * whole || series.length === 0 ? rest : []);
	}

	// A few slices, such as those of first references, may be many times as high as all others: they leave the picture.
	scale(sums) {
		const sorted = sums.slice().sort((a, b) => a - b),
			most = sorted[sorted.length - 1] || 1,
			usual = sorted[Math.floor(sorted.length * 0.97)] * 2;
		return most > 2 * usual && usual > 0 ? { highest: usual, most } : { highest: most, most };
	}

	area(series, floor, highest, height) {
		const y = (v) => (height - Math.min(1, v / highest) * height).toFixed(1);
		let upper = "",
			lower = "";
		this.columns.forEach((column, k) => {
			const from = this.x(column.from).toFixed(1),
				to = this.edge(column.to).toFixed(1),
				top = floor[k] + series.values[k];
			upper += "L" + from + "," + y(top) + "H" + to;
			lower = "L" + to + "," + y(floor[k]) + "H" + from + lower;
			floor[k] = top;
		});
		return svg("path", { class: "area fill-" + series.of, d: "M" + upper.slice(1) + lower + "Z" }, svg("title", {}, series.label));
	}

	// A lane of heat; values by column. One path for all places of the same heat.
	lane(label, values, top) {
		const most = Math.max(...values),
			paths = new Map();
		this.columns.forEach((column, k) => {
			if (!(values[k] > 0)) return;
			const step = Math.max(1, Math.ceil(Math.sqrt(values[k] / most) * STEPS)),
				d = "M" + this.x(column.from).toFixed(1) + "," + top + "H" + this.edge(column.to).toFixed(1) + "v" + LANE + "H" + this.x(column.from).toFixed(1) + "Z";
			paths.set(step, (paths.get(step) || "") + d);
		});
		return [
			this.laneText(label, top),
			svg("rect", { class: "lane-back", x: 0, y: top, width: this.width, height: LANE }),
			Array.from(paths, ([step, d]) => svg("path", { class: "lane-" + step, d })),
		];
	}

	laneText(label, top) {
		const room = Math.floor(this.width / LETTER);
		return svg(
			"text",
			{ class: "tick lane-text", x: 0, y: top - 4 },
			label.length > room ? shortened([label], room)[0] : label,
			svg("title", {}, label),
		);
	}

	phases(top) {
		const names = this.run.data.report.phases.map((p) => p.name),
			runs = [];
		this.slices.phase.forEach((phase, i) => {
			const last = runs[runs.length - 1];
			if (last && last.phase === phase) last.to = i + 1;
			else runs.push({ phase, from: i, to: i + 1 });
		});
		return [
			this.laneText("Phases", top),
			runs.map((r) => {
				const x = this.x(r.from),
					w = this.edge(r.to) - x,
					words = names[r.phase] || "unknown",
					room = Math.floor(w / LETTER) - 1;
				return svg(
					"g",
					{ class: "phase" },
					svg("rect", { x: x.toFixed(1), y: top, width: w.toFixed(1), height: LANE + 4, class: "fill-series-" + (r.phase % 8) }),
					room >= Math.min(3, words.length) && svg("text", { x: (x + 4).toFixed(1), y: top + LANE - 1 }, shortened([words], Math.max(3, room))[0]),
					svg("title", {}, words + ", " + stepsOf(this.slices, r.from, r.to)),
				);
			}),
		];
	}

	threadsOf(processor) {
		const threads = this.run.data.threads ? this.run.data.threads.threads : [],
			here = threads.filter((t) => t.processor === processor); // on which it ran last
		return here.length ? " (" + here.map((t) => t.name || "thread " + t.thread).join(", ") + ")" : "";
	}

	// Threads in the order in which they began, those with the most latency; the others together.
	threadLanes() {
		const sum = (row) => row.reduce((s, v) => s + v, 0),
			all = Array.from(this.slices.byThread),
			shown = all
				.slice()
				.sort((a, b) => sum(b[1]) - sum(a[1]))
				.slice(0, THREAD_LANES)
				.map(([thread]) => thread),
			others = new Float64Array(this.slices.n);
		if (all.length === 0) return [];
		for (const row of this.slices.byProcessor.values()) row.forEach((v, i) => (others[i] += v));
		const lanes = all.filter(([thread]) => shown.includes(thread)).sort((a, b) => a[0] - b[0]);
		for (const [, row] of lanes) row.forEach((v, i) => (others[i] = Math.max(0, others[i] - v)));
		const named = lanes.map(([thread, row]) => ["Latency of misses of " + threadName(this.run, thread), row]),
			more = (this.run.data.threads ? this.run.data.threads.threads.length : 0) > lanes.length;
		return more ? named.concat([["Latency of misses of other threads", others]]) : named;
	}

	// Rows below the chart: [what, where they begin], and the height of all.
	lanes(begin) {
		const drawn = [],
			slices = this.slices,
			rate = (of) => this.columns.map((c) => (1000 * of(c)) / this.steps(c));
		let top = begin;
		const next = (height) => {
			const at = top + LANE_TEXT;
			top = at + height;
			return at;
		};
		if (this.run.data.report.phases.length > 0) drawn.push(this.phases(next(LANE + 4)));
		for (const [label, latency] of this.threadLanes())
			drawn.push(
				this.lane(
					label,
					rate((c) => latency.subarray(c.from, c.to).reduce((s, v) => s + v, 0)),
					next(LANE),
				),
			);
		if (slices.byProcessor.size > 1)
			for (const [processor, latency] of Array.from(slices.byProcessor).sort((a, b) => a[0] - b[0]).slice(0, 2 * MOST_LANES))
				drawn.push(
					this.lane(
						"Latency of misses of processor " + processor + this.threadsOf(processor),
						rate((c) => latency.subarray(c.from, c.to).reduce((s, v) => s + v, 0)),
						next(LANE),
					),
				);
		const code = Array.from(slices.stallBy("code", 0, slices.n))
			.sort((a, b) => b[1] - a[1] || a[0] - b[0])
			.filter((e, k) => k < MOST_LANES && e[1] >= SMALL * this.run.totals.stall_cycles);
		const values = new Map(code.map(([row]) => [row, []]));
		for (const c of this.columns) {
			const sums = slices.stallBy("code", c.from, c.to);
			for (const [row, list] of values) list.push((1000 * (sums.get(row) || 0)) / this.steps(c));
		}
		for (const [row, list] of values) drawn.push(this.lane(this.run.codeName(row), list, next(LANE)));
		return { drawn, end: top };
	}

	draw() {
		this.by = GROUPS_OVER_TIME.find((g) => g.key === this.choose.value) || this.by;
		const series = this.series(),
			tall = 220,
			sums = this.columns.map((_, k) => series.reduce((s, one) => s + one.values[k], 0)),
			{ highest, most } = this.scale(sums),
			floor = new Array(this.columns.length).fill(0),
			axis = this.width < 500 ? 50 : 46,
			lanes = this.lanes(tall + axis);
		const picture = chart(
			this.width,
			tall,
			series.map((s) => this.area(s, floor, highest, tall)),
			roundTicks(highest, tall, { up: true }),
			"Stall time over the run: " + series.map((s) => s.label + " " + percent(s.sum, this.run.totals.stall_cycles)).join(", "),
			this.run.run.sampling ? "steps in windows; stall cycles for each 1000 steps" : "steps; stall cycles for each 1000",
			stepTicks({ steps: this.slices.steps }),
			lanes.end - tall - axis + 8,
		);
		picture.append(...svg("g", {}, lanes.drawn).childNodes);
		this.mark = svg("rect", { class: "brush", y: 0, height: lanes.end, visibility: "hidden" });
		picture.append(this.mark);
		this.crosshair.charts = this.crosshair.charts.filter((c) => c.owner !== this);
		const ends = this.columns.map((c) => this.edge(c.to) / this.width),
			element = this.crosshair.add(picture, this.columns.length, this.width, lanes.end, (k) => this.words(series, k), ends);
		this.crosshair.charts[this.crosshair.charts.length - 1].owner = this;
		this.brushable(picture); // after the crosshair, which takes keys first
		replace(
			this.picture,
			element,
			this.legend(series),
			h(
				"p",
				{ class: "quiet" },
				plural(this.slices.n, "slice") + ". ",
				most > highest && "Slices with up to " + count(Math.round(most)) + " cycles extend above the picture.",
			),
		);
		this.showRange(this.page.range);
	}

	legend(series) {
		const names = shortened(
			series.map((s) => s.label),
			this.width < 500 ? 36 : 60,
		);
		const address = this.by.key === "code" ? codeAddress : dataAddress;
		return legend(
			series.map((s, k) => ({
				of: s.of,
				label: [
					s.row < 0 ? name(names[k]) : h("a", { href: "#" + address(this.run, s.row), title: s.label }, name(names[k])),
					" ",
					percent(s.sum, this.run.totals.stall_cycles),
				],
			})),
		);
	}

	words(series, k) {
		const c = this.columns[k],
			phase = this.run.data.report.phases[this.slices.phase[c.from]],
			parts = series.filter((s) => s.values[k] > 0).sort((a, b) => b.values[k] - a.values[k]);
		return (
			stepsOf(this.slices, c.from, c.to) +
			": " +
			(phase ? "phase " + phase.name + "; " : "") +
			(parts.map((s) => s.label + " " + fixed(s.values[k], 1)).join(", ") || "none")
		);
	}

	// --- the range ---

	columnAt(e) {
		const matrix = this.drawn.getScreenCTM(),
			x = matrix ? new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse()).x : 0,
			share = Math.max(0, Math.min(1, x / this.width));
		return this.columns.findIndex((c) => this.edge(c.to) >= share * this.width);
	}

	brushable(picture) {
		this.drawn = picture;
		let from = -1,
			x = 0;
		const moved = (e) => from >= 0 && Math.abs(e.clientX - x) > CLICK;
		picture.addEventListener("pointerdown", (e) => {
			if (e.button !== 0) return;
			from = this.columnAt(e);
			x = e.clientX;
			picture.setPointerCapture(e.pointerId);
			e.preventDefault();
			picture.focus({ preventScroll: true });
		});
		picture.addEventListener("pointermove", (e) => moved(e) && this.take(from, this.columnAt(e)));
		picture.addEventListener("pointerup", (e) => {
			if (moved(e)) this.apply(from, this.columnAt(e));
			from = -1;
		});
		picture.addEventListener("pointercancel", () => {
			from = -1;
			this.showRange(this.page.range);
		});
		picture.addEventListener("keydown", (e) => this.key(e));
	}

	// The range that is about to be chosen, in columns.
	take(a, b) {
		this.taken = [Math.min(a, b), Math.max(a, b)];
		this.showRange({ from: this.columns[this.taken[0]].from, to: this.columns[this.taken[1]].to });
	}

	apply(a, b) {
		this.take(a, b);
		this.page.setRange({ from: this.columns[this.taken[0]].from, to: this.columns[this.taken[1]].to });
	}

	key(e) {
		const chart = this.crosshair.charts.find((c) => c.owner === this);
		if (e.key === "Enter" && this.anchor !== undefined) {
			e.preventDefault();
			this.page.setRange({ from: this.columns[this.taken[0]].from, to: this.columns[this.taken[1]].to });
			this.anchor = undefined;
		} else if (e.shiftKey && (e.key === "ArrowLeft" || e.key === "ArrowRight")) {
			// The crosshair has moved already.
			const at = this.crosshair.sliceAt(chart, Math.max(0, this.crosshair.share));
			if (this.anchor === undefined) this.anchor = Math.max(0, Math.min(this.columns.length - 1, at + (e.key === "ArrowLeft" ? 1 : -1)));
			this.take(this.anchor, at);
		}
	}

	// range: null: the whole run.
	showRange(range) {
		this.mark.setAttribute("visibility", range ? "visible" : "hidden");
		if (!range) return;
		this.mark.setAttribute("x", this.x(range.from).toFixed(1));
		this.mark.setAttribute("width", Math.max(2, this.edge(range.to) - this.x(range.from)).toFixed(1));
	}
}

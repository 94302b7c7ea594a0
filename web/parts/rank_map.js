// rank_map.js - the time of each rank as a heat map: ranks are columns, or groups of ranks where there are many; rows are
// computing, waiting for memory or for other ranks, and data that is waited for.

const RANK_LANE = 16, // height of a row
	RANK_LANE_TEXT = 18, // and of the text above it
	RANK_LEAST = 4; // width of a column

const RANK_ORDERS = [
	{ key: "rank", label: "Number", by: () => 0 },
	{ key: "time", label: "Time, slowest first", by: (r) => -r.time },
	{ key: "host", label: "Node", by: (r) => r.host || "" },
	{ key: "cluster", label: "Cluster", by: (r) => r.cluster },
];

// heat(value, mean): how strong the color is, as compared with the strongest.
const RANK_HEATS = [
	{ key: "time", label: "Time", heat: (value) => value },
	{ key: "above", label: "Above the mean", heat: (value, mean) => Math.max(0, value - mean) },
];

// The ranks that are in the sums: {rank, host, program, cluster, compute, stall, waiting, time}.
function mergedRanks(run) {
	const t = run.tables.ranks;
	return rowsOfTable(t)
		.filter((row) => t.get(row, "state") === "merged")
		.map((row) => {
			const r = {};
			for (const key of ["rank", "host", "program", "cluster", "compute", "stall", "waiting"]) r[key] = t.get(row, key);
			r.time = r.compute + r.stall;
			return r;
		});
}

// Sums over ranks or processes have no threads and no timelines; a single rank of a job (--rank 3) has.
function isSum(run) {
	return run.run.merged_runs > 1;
}

function meanOf(ranks, value) {
	return ranks.reduce((sum, r) => sum + value(r), 0) / Math.max(1, ranks.length);
}

// Rows of the picture: {label, value(rank): null if it is not known, mean}.
function rankLanes(run, ranks) {
	const lane = (key, label) => ({ label, value: (r) => r[key], mean: meanOf(ranks, (r) => r[key]) }),
		lanes = [lane("compute", "Computing"), lane("stall", "Waiting for memory"), lane("waiting", "Waiting for other ranks (MPI)")],
		sums = run.tables.rank_sums,
		t = run.tables.rank_data;
	const ofData = rowsOfTable(sums).map((row) => {
		const data = sums.get(row, "data"),
			values = new Map(run.rowsOf("rank_data", "data", data).map((r) => [t.get(r, "rank"), t.get(r, "stall")]));
		return {
			label: "Waiting for " + run.dataName(data),
			value: (r) => (values.has(r.rank) ? values.get(r.rank) : null),
			mean: sums.get(row, "stall") / Math.max(1, ranks.length),
		};
	});
	return lanes.concat(ofData).filter((l) => l.mean > 0);
}

// As many columns as have room: {ranks, lanes: [{most: of a rank, rank, mean, known}]}.
function rankColumns(ranks, lanes, room) {
	const each = Math.ceil(ranks.length / Math.min(ranks.length, room)),
		columns = [];
	for (let from = 0; from < ranks.length; from += each) columns.push({ ranks: ranks.slice(from, from + each) });
	for (const column of columns)
		column.lanes = lanes.map((lane) => {
			const sum = { most: 0, rank: null, all: 0, known: 0 };
			for (const r of column.ranks) {
				const value = lane.value(r);
				if (value === null) continue;
				sum.all += value;
				sum.known++;
				if (sum.rank === null || value > sum.most) Object.assign(sum, { most: value, rank: r.rank });
			}
			return sum;
		});
	return columns;
}

// Their numbers; where some are missing, the first and the last.
function rankTicks(sorted, width) {
	const from = sorted[0].rank,
		last = sorted[sorted.length - 1].rank;
	return last - from + 1 === sorted.length ? numberTicks(last + 1, width, { from }) : [String(from), String(last)];
}

class RankMap {
	constructor(run, ranks) {
		Object.assign(this, { run, ranks, shown: ranks, at: null });
		this.lanes = rankLanes(run, ranks);
		this.what = run.run.job ? "rank" : "process";
		this.width = chartWidth();
		this.order = this.select("rank-order", RANK_ORDERS.filter((o) => o.key === "rank" || new Set(ranks.map(o.by)).size > 1));
		this.heat = this.select("rank-heat", RANK_HEATS);
		this.all = h("button", { type: "button", disabled: true, onclick: () => this.zoom(null) }, "All " + this.plural(2));
		this.holder = h("div", { class: "rank-map-holder" });
		this.words = h("p", { class: "set-words quiet", id: "rank-words" }, "\u00a0");
		this.draw();
	}

	plural(n) {
		return n === 1 ? this.what : this.what === "rank" ? "ranks" : "processes";
	}

	select(id, choices) {
		const element = h("select", { id, onchange: () => this.draw() }, choices.map((c) => h("option", { value: c.key }, c.label)));
		return Object.assign(element, { choice: () => choices.find((c) => c.key === element.value) });
	}

	// Only these ranks; null: all.
	zoom(ranks) {
		this.shown = ranks || this.ranks;
		this.all.disabled = ranks === null;
		this.draw();
	}

	heatOf(column, lane) {
		const c = column.lanes[lane];
		return c.known > 0 ? this.heat.choice().heat(c.most, this.lanes[lane].mean) : 0;
	}

	draw() {
		const by = this.order.choice().by,
			sorted = this.shown.slice().sort((a, b) => compare(by(a), by(b)) || a.rank - b.rank),
			high = this.lanes.length * (RANK_LANE + RANK_LANE_TEXT),
			focused = this.picture && document.activeElement === this.picture;
		this.columns = rankColumns(sorted, this.lanes, Math.floor(this.width / RANK_LEAST));
		this.most = Math.max(...this.columns.map((column) => Math.max(...this.lanes.map((_, i) => this.heatOf(column, i)))));
		this.mark = svg("rect", { class: "set-mark", visibility: "hidden" });
		this.picture = svg(
			"svg",
			{
				class: "chart rank-map",
				viewBox: "0 0 " + this.width + " " + (high + 26),
				role: "img",
				tabindex: 0,
				"aria-describedby": "rank-words",
				"aria-label": "Time by " + this.what + ", " + this.order.choice().label.toLowerCase() + ". " + this.summary(),
				onpointermove: (e) => this.show(this.placeOf(e)),
				onpointerleave: () => this.show(null),
				onclick: (e) => this.enter(this.placeOf(e)),
				onkeydown: (e) => this.key(e),
			},
			this.lanes.map((_, i) => this.lane(i)),
			timeAxis(this.width, high, this.order.value === "rank" ? rankTicks(sorted, this.width) : ["first", "last"]),
			this.mark,
		);
		replace(this.holder, this.picture);
		this.show(null);
		if (focused) this.picture.focus();
	}

	x(column) {
		return ((column / this.columns.length) * this.width).toFixed(2);
	}

	top(lane) {
		return lane * (RANK_LANE + RANK_LANE_TEXT) + RANK_LANE_TEXT;
	}

	// One path for all columns of the same heat.
	lane(i) {
		const paths = new Map();
		this.columns.forEach((column, n) => {
			const heat = this.heatOf(column, i);
			if (!(heat > 0)) return;
			const step = Math.max(1, Math.ceil(Math.sqrt(heat / this.most) * STEPS)),
				d = "M" + this.x(n) + "," + this.top(i) + "H" + this.x(n + 1) + "v" + RANK_LANE + "H" + this.x(n) + "Z";
			paths.set(step, (paths.get(step) || "") + d);
		});
		const letters = Math.floor(this.width / 7.5);
		return [
			svg("text", { class: "tick lane-text", x: 0, y: this.top(i) - 5 }, shortened([this.lanes[i].label], letters)[0]),
			svg("rect", { class: "lane-back", x: 0, y: this.top(i), width: this.width, height: RANK_LANE }),
			Array.from(paths, ([step, d]) => svg("path", { class: "lane-" + step, d })),
		];
	}

	placeOf(e) {
		const matrix = this.picture.getScreenCTM();
		if (!matrix) return null;
		const { x, y } = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse()),
			column = Math.floor((x / this.width) * this.columns.length),
			lane = Math.floor(y / (RANK_LANE + RANK_LANE_TEXT));
		return column >= 0 && column < this.columns.length && lane >= 0 && lane < this.lanes.length ? { column, lane } : null;
	}

	// The ranks of a column of several.
	enter(at) {
		const ranks = at ? this.columns[at.column].ranks : [];
		if (ranks.length > 1 && ranks.length < this.shown.length) this.zoom(ranks);
	}

	key(e) {
		if (e.key === "Enter") return this.enter(this.at);
		const n = this.columns.length,
			by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-n, 0], End: [n, 0] }[e.key];
		if (!by) return;
		e.preventDefault();
		const within = (n, end) => Math.max(0, Math.min(end - 1, n));
		this.show(
			this.at === null
				? { column: 0, lane: 0 }
				: { column: within(this.at.column + by[0], n), lane: within(this.at.lane + by[1], this.lanes.length) },
		);
	}

	show(at) {
		this.at = at;
		this.mark.setAttribute("visibility", at ? "visible" : "hidden");
		this.words.textContent = at ? visible(this.placeWords(at)) : "\u00a0";
		if (!at) return;
		this.mark.setAttribute("x", this.x(at.column));
		this.mark.setAttribute("y", this.top(at.lane));
		this.mark.setAttribute("width", Math.max(2, this.x(at.column + 1) - this.x(at.column)).toFixed(2));
		this.mark.setAttribute("height", RANK_LANE);
	}

	rankWords(ranks) {
		const [first] = ranks,
			last = ranks[ranks.length - 1];
		if (ranks.length > 1)
			return this.order.value === "rank"
				? this.plural(2) + " " + first.rank + " to " + last.rank
				: plural(ranks.length, this.what, this.plural(2)) + ", " + first.rank + " to " + last.rank + " in this order";
		return (
			this.what +
			" " +
			first.rank +
			(this.run.run.job ? "" : ", " + baseName(first.program)) +
			(first.host ? " on " + first.host : "") +
			(first.cluster === null ? "" : ", cluster " + first.cluster)
		);
	}

	placeWords({ column, lane }) {
		const { ranks, lanes } = this.columns[column],
			{ label, mean } = this.lanes[lane],
			c = lanes[lane],
			times = mean > 0 && c.known > 0 ? ", " + fixed(c.most / mean, 2) + " times the mean of all " + this.plural(2) : "",
			head = this.rankWords(ranks) + ": " + label;
		if (c.known === 0) return head + ": not among the data with the most stall there";
		if (ranks.length === 1) return head + " " + amount(this.run, c.most) + times;
		return head + " at most " + amount(this.run, c.most) + " (" + this.what + " " + c.rank + ")" + times + "; on average " + amount(this.run, Math.round(c.all / ranks.length));
	}

	// Which rank is the slowest, and by how much.
	summary() {
		const slowest = this.ranks.reduce((a, b) => (b.time > a.time ? b : a)),
			mean = meanOf(this.ranks, (r) => r.time);
		return "The slowest is " + this.what + " " + slowest.rank + (mean > 0 ? " with " + fixed(slowest.time / mean, 2) + " times the mean." : ".");
	}

	// What a column is where ranks are many.
	note() {
		const several = this.columns.some((c) => c.ranks.length > 1);
		return (
			(several ? "A column has several " + this.plural(2) + ", and the color of the one with the most; choose it to see them one by one. " : "") +
			"The stronger the color, the more. Point at a place, or use the arrow keys" +
			(several ? " and Enter." : ".")
		);
	}

	get element() {
		const title = "Time by " + this.what;
		return h(
			"section",
			{ id: "rank-map" },
			h("h3", {}, title),
			h(
				"div",
				{ class: "tools" },
				h("label", { for: "rank-order" }, "Order "),
				this.order,
				h("label", { for: "rank-heat" }, "Color "),
				this.heat,
				this.all,
				pictureIn(title, () => this.holder),
			),
			this.holder,
			this.words,
			h("p", { class: "quiet" }, this.note()),
		);
	}
}

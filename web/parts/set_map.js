// set_map.js - misses of a cache level by set and time: sets that miss more than others are where data conflicts.

const SET_ROWS = 4, // pixels of a group of sets
	SET_DATA = 3; // data that is named for a place

// {groups, each: sets of a group, parts: [{from, to}] in slices, misses: [part][group]}; null: not known.
function setsOverTime(run, level) {
	const t = run.tables.set_slices,
		slices = slicesOf(run),
		rows = t && slices ? rowsOfTable(t).filter((row) => t.get(row, "level") === level) : [];
	if (rows.length === 0) return null;
	const l = run.levels[level],
		sets = Math.max(1, Math.floor(l.size / (l.line * l.ways))),
		groups = Math.min(64, sets),
		parts = [],
		misses = [];
	let long = 1;
	while (Math.ceil(slices.n / long) > 64) long *= 2;
	for (let from = 0; from < slices.n; from += long) {
		parts.push({ from, to: Math.min(slices.n, from + long) });
		misses.push(new Array(groups).fill(0));
	}
	for (const row of rows) misses[Math.floor(t.get(row, "slice") / long)][t.get(row, "sets")] = t.get(row, "misses");
	return { groups, sets, parts, long, misses };
}

// Misses of data at the level by group of sets, of the observed part of the run.
function dataOfSets(run, level, groups) {
	const t = run.tables.set_misses,
		found = new Map();
	for (const row of t ? rowsOfTable(t) : []) {
		if (t.get(row, "level") !== level) continue;
		const data = t.get(row, "data");
		if (!found.has(data)) found.set(data, new Array(groups).fill(0));
		found.get(data)[t.get(row, "sets")] = t.get(row, "misses");
	}
	return found;
}

function setName(map, group) {
	const first = Math.floor((group * map.sets) / map.groups),
		last = Math.floor(((group + 1) * map.sets) / map.groups) - 1;
	return last > first ? "sets " + first + " to " + last : "set " + first;
}

class SetMap {
	constructor(run, level) {
		Object.assign(this, { run, level });
		this.map = setsOverTime(run, level);
		if (this.map === null) return;
		this.slices = slicesOf(run);
		this.data = dataOfSets(run, level, this.map.groups);
		this.width = chartWidth();
		this.high = this.map.groups * Math.max(SET_ROWS, Math.floor(128 / this.map.groups));
		this.at = null; // {part, group}
		this.build();
	}

	x(slice) {
		return ((slice >= this.slices.n ? this.slices.steps : this.slices.start(slice)) / this.slices.steps) * this.width;
	}

	rate(part, group) {
		const p = this.map.parts[part],
			steps = this.slices.ends[p.to - 1] - this.slices.start(p.from);
		return steps > 0 ? (1000 * this.map.misses[part][group]) / steps : 0;
	}

	// Few places, such as those of first references, may have many times as many as all others.
	highest() {
		const all = this.map.parts.flatMap((_, p) => this.map.misses[p].map((_, g) => this.rate(p, g))).sort((a, b) => a - b);
		return all[Math.floor(all.length * 0.98)] || all[all.length - 1] || 1;
	}

	// One path for all places of the same heat.
	paths() {
		const paths = new Map(),
			high = this.high / this.map.groups,
			most = this.highest();
		this.map.parts.forEach((part, p) => {
			const from = this.x(part.from).toFixed(1),
				to = this.x(part.to).toFixed(1);
			for (let g = 0; g < this.map.groups; g++) {
				const rate = this.rate(p, g);
				if (!(rate > 0)) continue;
				const step = Math.min(STEPS, Math.max(1, Math.ceil(Math.sqrt(rate / most) * STEPS)));
				paths.set(step, (paths.get(step) || "") + "M" + from + "," + (g * high).toFixed(1) + "H" + to + "v" + high.toFixed(1) + "H" + from + "Z");
			}
		});
		return Array.from(paths, ([step, d]) => svg("path", { class: "lane-" + step, d }));
	}

	build() {
		const level = this.run.levels[this.level],
			last = this.map.sets - 1;
		this.mark = svg("rect", { class: "set-mark", visibility: "hidden" });
		this.words = h("p", { class: "set-words quiet" }, "\u00a0");
		this.picture = chart(
			this.width,
			this.high,
			[svg("rect", { class: "lane-back", x: 0, y: 0, width: this.width, height: this.high }), this.paths(), this.mark],
			numberTicks(this.map.sets, this.high, { up: true }).map(({ at, text }) => ({ at: 1 - at, text })),
			"Misses of " + level.name + " by cache set (from top to bottom) and time. " + this.summary(),
			"steps; " + level.name + " sets 0 to " + last + " from top to bottom",
			stepTicks({ steps: this.slices.steps }),
		);
		this.picture.classList.add("set-map");
		this.picture.setAttribute("tabindex", "0");
		this.picture.addEventListener("pointermove", (e) => this.show(this.placeOf(e)));
		this.picture.addEventListener("pointerdown", (e) => this.show(this.placeOf(e)));
		this.picture.addEventListener("pointerleave", (e) => e.pointerType !== "touch" && this.show(null)); // a finger leaves when it is lifted
		this.picture.addEventListener("keydown", (e) => this.key(e));
	}

	placeOf(e) {
		const matrix = this.picture.getScreenCTM();
		if (!matrix) return null;
		const { x, y } = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse()),
			part = this.map.parts.findIndex((p) => this.x(p.from) <= x && x < this.x(p.to)),
			group = Math.floor((y / this.high) * this.map.groups);
		return part >= 0 && group >= 0 && group < this.map.groups ? { part, group } : null;
	}

	key(e) {
		const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
		if (!by) return;
		e.preventDefault();
		const at = this.at || { part: 0, group: 0 },
			within = (n, end) => Math.max(0, Math.min(end - 1, n));
		this.show(this.at === null ? at : { part: within(at.part + by[0], this.map.parts.length), group: within(at.group + by[1], this.map.groups) });
	}

	// What brings lines into these sets at this time, and so evicts others: its misses in these sets, in the proportion that
	// it has of the misses at this time.
	evictors(part, group) {
		const p = this.map.parts[part],
			t = this.run.tables.slice_bins,
			path = "levels." + this.level + ".misses",
			now = new Map();
		for (let r = this.slices.rows[p.from]; r < this.slices.rows[p.to]; r++) now.set(t.get(r, "data"), (now.get(t.get(r, "data")) || 0) + t.get(r, path));
		const found = Array.from(this.data, ([data, sets]) => {
			const all = sets.reduce((s, v) => s + v, 0);
			return { data, value: all > 0 ? ((now.get(data) || 0) * sets[group]) / all : 0 };
		}).filter((d) => d.value > 0);
		const whole = found.reduce((s, d) => s + d.value, 0);
		return found
			.sort((a, b) => b.value - a.value)
			.slice(0, SET_DATA)
			.map((d) => this.run.dataName(d.data) + " " + percent(d.value, whole));
	}

	placeWords({ part, group }) {
		const p = this.map.parts[part],
			misses = this.map.misses[part][group],
			mean = this.map.misses[part].reduce((s, v) => s + v, 0) / this.map.groups,
			by = misses > 0 ? this.evictors(part, group) : [];
		return (
			setName(this.map, group) +
			", " +
			stepsOf(this.slices, p.from, p.to) +
			": " +
			count(misses) +
			" misses" +
			(mean > 0 ? ", " + fixed(misses / mean, 1) + " times the mean of all sets" : "") +
			(by.length ? "; evicted by (estimated): " + by.join(", ") : "")
		);
	}

	show(at) {
		this.at = at;
		this.mark.setAttribute("visibility", at ? "visible" : "hidden");
		this.words.textContent = at ? visible(this.placeWords(at)) : "\u00a0";
		if (!at) return;
		const p = this.map.parts[at.part],
			high = this.high / this.map.groups;
		this.mark.setAttribute("x", this.x(p.from).toFixed(1));
		this.mark.setAttribute("y", (at.group * high).toFixed(1));
		this.mark.setAttribute("width", Math.max(2, this.x(p.to) - this.x(p.from)).toFixed(1));
		this.mark.setAttribute("height", high.toFixed(1));
	}

	sums() {
		return Array.from({ length: this.map.groups }, (_, g) => this.map.misses.reduce((s, part) => s + part[g], 0));
	}

	// Whether misses are spread over the sets, in words.
	summary() {
		const sums = this.sums(),
			all = sums.reduce((s, v) => s + v, 0),
			quarter = sums
				.slice()
				.sort((a, b) => b - a)
				.slice(0, Math.ceil(sums.length / 4))
				.reduce((s, v) => s + v, 0);
		return "A quarter of the sets has " + percent(quarter, all) + " of the misses.";
	}

	get element() {
		if (this.map === null) return null;
		return h(
			"section",
			{ class: "sets-over-time" },
			pictured("Misses by cache set of " + this.run.levels[this.level].name, this.picture),
			this.words,
			h(
				"p",
				{ class: "quiet" },
				"Time is divided into " +
					plural(this.map.parts.length, "part") +
					(this.map.long > 1 ? " of " + plural(this.map.long, "slice") + ", as sets are not stored by slice. " : ". ") +
					this.summary() +
					" Rows that are stronger than others are sets in which data conflicts; point at them, touch them, or use the arrow keys.",
			),
		);
	}
}

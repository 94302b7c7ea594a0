// range.js - a part of the run by time: figures of the slices between two slices, in place of those of the whole run.
// Slices have misses by code and data; a reader of references or causes gets none.

// What the slices of a run have, summed once.
class Slices {
	constructor(run) {
		const t = run.tables.slices;
		this.run = run;
		this.n = t.length;
		this.ends = new Float64Array(this.n); // in steps
		this.phase = new Array(this.n);
		let steps = 0;
		for (let i = 0; i < this.n; i++) {
			steps += t.get(i, "steps");
			this.ends[i] = steps;
			this.phase[i] = t.get(i, "phase");
		}
		this.steps = steps;
		const latencies = run.levels.map((level) => level.latency).concat(run.run.memory_latency || 0);
		this.latency = run.levels.map((_, l) => Math.max(1, latencies[l + 1] - latencies[l]));
		this.takeSums();
		this.takeThreads();
		this.takeBins();
	}

	start(i) {
		return i > 0 ? this.ends[i - 1] : 0;
	}

	// The slice at a share of the steps.
	at(share) {
		let from = 0,
			to = this.n - 1;
		while (from < to) {
			const middle = (from + to) >> 1;
			if (this.ends[middle] > share * this.steps) to = middle;
			else from = middle + 1;
		}
		return from;
	}

	// Misses of all code and data by level and slice, and their latency by processor. Windows saw a part of them.
	takeSums() {
		const run = this.run,
			t = run.tables.slice_sums;
		this.misses = run.levels.map(() => new Float64Array(this.n));
		this.byProcessor = new Map();
		for (let r = 0; r < t.length; r++) run.levels.forEach((_, l) => (this.misses[l][t.get(r, "slice")] += t.get(r, "levels." + l + ".misses")));
		this.scale = run.levels.map((_, l) => {
			const all = (run.total("levels." + l + ".misses.read") || 0) + (run.total("levels." + l + ".misses.write") || 0),
				seen = this.misses[l].reduce((s, v) => s + v, 0);
			return run.run.sampling && seen > 0 ? all / seen : 1;
		});
		this.misses.forEach((row, l) => row.forEach((v, i) => (row[i] = v * this.scale[l])));
		for (let r = 0; r < t.length; r++) {
			const processor = t.get(r, "processor");
			if (!this.byProcessor.has(processor)) this.byProcessor.set(processor, new Float64Array(this.n));
			this.byProcessor.get(processor)[t.get(r, "slice")] += this.weigh(t, r);
		}
	}

	// Latency by thread; windows saw a part of it.
	takeThreads() {
		const t = this.run.tables.slice_threads,
			seen = t ? t.rows.reduce((s, _, r) => s + t.get(r, "latency"), 0) : 0;
		this.byThread = new Map();
		for (let r = 0; seen > 0 && r < t.length; r++) {
			const thread = t.get(r, "thread");
			if (!this.byThread.has(thread)) this.byThread.set(thread, new Float64Array(this.n));
			this.byThread.get(thread)[t.get(r, "slice")] += t.get(r, "latency") * this.scale[0];
		}
	}

	// Of all processors.
	latencyIn(from, to) {
		let all = 0;
		for (const row of this.byProcessor.values()) all += row.subarray(from, to).reduce((s, v) => s + v, 0);
		return all;
	}

	weigh(t, r) {
		let cycles = 0;
		for (let l = 0; l < this.latency.length; l++) cycles += t.get(r, "levels." + l + ".misses") * this.scale[l] * this.latency[l];
		return cycles;
	}

	// Stall of a pair in a slice: of its stall in the whole run, the part that its misses have there.
	takeBins() {
		const run = this.run,
			t = run.tables.slice_bins,
			rates = new Map();
		const rate = (code, data) => {
			const bin = run.bin(code, data),
				key = code * run.dataTable.length + data;
			if (!rates.has(key)) rates.set(key, bin < 0 ? 0 : run.bins.get(bin, "stall_cycles") / this.weighBin(bin));
			return rates.get(key);
		};
		this.stall = new Float64Array(t.length); // by row of the table
		this.rest = new Float64Array(this.n); // latency of the pairs that a slice has no row of
		for (let l = 0; l < this.latency.length; l++) this.misses[l].forEach((v, i) => (this.rest[i] += v * this.latency[l]));
		let all = 0;
		for (let r = 0; r < t.length; r++) {
			const weight = this.weigh(t, r),
				slice = t.get(r, "slice");
			this.stall[r] = weight * rate(t.get(r, "code"), t.get(r, "data"));
			this.rest[slice] = Math.max(0, this.rest[slice] - weight);
			all += this.stall[r];
		}
		const weight = this.rest.reduce((s, v) => s + v, 0),
			each = weight > 0 ? Math.max(0, run.totals.stall_cycles - all) / weight : 0;
		this.rest.forEach((v, i) => (this.rest[i] = v * each)); // from here on stall
		this.rows = new Array(this.n + 1).fill(t.length); // the first row of each slice
		for (let r = t.length - 1; r >= 0; r--) this.rows[t.get(r, "slice")] = r;
		for (let i = this.n - 1; i >= 0; i--) this.rows[i] = Math.min(this.rows[i], this.rows[i + 1]);
	}

	weighBin(bin) {
		let cycles = 0;
		this.latency.forEach((latency, l) => {
			const at = "levels." + l + ".misses.";
			cycles += latency * (this.run.bins.get(bin, at + "read") + this.run.bins.get(bin, at + "write"));
		});
		return cycles || 1;
	}

	// Sums over the slices from..to-1: stall by a column of the pairs.
	stallBy(column, from, to) {
		const t = this.run.tables.slice_bins,
			sums = new Map();
		for (let r = this.rows[from]; r < this.rows[to]; r++) {
			const key = t.get(r, column);
			sums.set(key, (sums.get(key) || 0) + this.stall[r]);
		}
		return sums;
	}
}

// null: the run has none, or only one.
function slicesOf(run) {
	if (run.slices === undefined) {
		const t = run.tables.slices;
		const slices = t && t.length > 1 && !run.run.hardware ? new Slices(run) : null;
		run.slices = slices && slices.steps > 0 ? slices : null;
	}
	return run.slices;
}

const KEPT_OF_CODE = ["name", "module", "file", "line"],
	KEPT_OF_DATA = ["name", "full_name", "kind", "type", "reason", "objects", "bytes", "peak_bytes", "largest"];

// A table with these columns of another one, and the stall and misses of the range; row(i): [stall, misses by level].
function rangedTable(run, t, kept, row) {
	const columns = kept.filter((c) => t.has(c)),
		figures = ["stall.read"].concat(run.levels.map((_, l) => "levels." + l + ".misses.read"));
	const rows = t.rows.map((old, i) => columns.map((c) => (old[t.at.get(c)] === undefined ? 0 : old[t.at.get(c)])).concat(row(i)));
	return new Table({ columns: columns.concat(figures, "stall.write"), rows, text_columns: Array.from(t.isText) }, t.texts);
}

// The run as if it had only the slices from..to-1.
function rangedRun(run, from, to) {
	const s = slicesOf(run),
		t = run.tables.slice_bins,
		levels = run.levels.length,
		none = () => new Array(1 + levels).fill(0);
	const code = new Map(),
		data = new Map(),
		bins = new Map(),
		total = none();
	for (let r = s.rows[from]; r < s.rows[to]; r++) {
		const c = t.get(r, "code"),
			d = t.get(r, "data"),
			key = c * run.dataTable.length + d;
		for (const [map, at] of [
			[code, c],
			[data, d],
			[bins, key],
		]) {
			if (!map.has(at)) map.set(at, none());
			const sums = map.get(at);
			sums[0] += s.stall[r];
			for (let l = 0; l < levels; l++) sums[1 + l] += t.get(r, "levels." + l + ".misses") * s.scale[l];
		}
		total[0] += s.stall[r];
	}
	for (let i = from; i < to; i++) {
		total[0] += s.rest[i];
		for (let l = 0; l < levels; l++) total[1 + l] += s.misses[l][i];
	}
	const part = Object.create(run),
		empty = none();
	part.range = { from, to };
	part.run = Object.assign({}, run.run, { sampling: null });
	part.grouped = new Map();
	part.totals = {
		stall_cycles: total[0],
		levels: run.levels.map((level, l) => ({ name: level.name, misses: { read: total[1 + l], write: 0 } })),
	};
	part.code = rangedTable(run, run.code, KEPT_OF_CODE, (i) => code.get(i) || empty);
	part.dataTable = rangedTable(run, run.dataTable, KEPT_OF_DATA, (i) => data.get(i) || empty);
	const keys = Array.from(bins.keys()).sort((a, b) => a - b);
	part.bins = new Table(
		{
			columns: ["code", "data", "stall.read"].concat(
				run.levels.map((_, l) => "levels." + l + ".misses.read"),
				"stall.write",
			),
			rows: keys.map((key) =>
				[Math.floor(key / run.dataTable.length), key % run.dataTable.length].concat(bins.get(key)),
			),
			text_columns: [],
		},
		[],
	);
	part.tables = Object.assign({}, run.tables, {
		code: part.code,
		data: part.dataTable,
		bins: part.bins,
		paths: null,
	});
	return part;
}

// "steps 12.6M to 16.8M".
function stepsOf(slices, from, to) {
	return "steps " + count(slices.start(from)) + " to " + count(slices.ends[to - 1]);
}

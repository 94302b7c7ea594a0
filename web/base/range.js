// range.js - a part of the run by time: figures of the slices between two slices, in place of those of the whole run.
// Slices have misses by code and data, and by line of source, with their causes; a reader of references gets none.

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
		const sampling = run.run.sampling;
		this.stepsOfRun = sampling && sampling.references > 0 ? Math.max(1, sampling.total / sampling.references) : 1; // for each step of windows
		this.latency = missLatencies(run);
		this.knowsCauses = run.tables.slice_sums.has("levels.0.causes.first"); // not those of windows, and of older runs
		this.takeSums();
		this.takeThreads();
		this.takeBins();
		this.takeLines();
	}

	// Figures of a row of one of the tables: misses by level, then where they are known causes by level.
	get width() {
		return this.latency.length * (this.knowsCauses ? 1 + CAUSES.length : 1);
	}

	addFigures(sums, at, t, r) {
		const levels = this.latency.length;
		for (let l = 0; l < levels; l++) {
			const path = "levels." + l + ".",
				misses = t.get(r, path + "misses"),
				first = this.knowsCauses ? t.get(r, path + "causes.first") : 0,
				invalidation = this.knowsCauses ? t.get(r, path + "causes.invalidation") : 0;
			sums[at + l] += misses * this.scale[l];
			if (!this.knowsCauses) continue;
			[first, misses - first - invalidation, invalidation].forEach((n, c) => (sums[at + levels + l * CAUSES.length + c] += n * this.scale[l]));
		}
	}

	// Their names, in this order.
	get figures() {
		const of = (l) => CAUSES.map((c) => "levels." + l + ".causes." + c.key);
		return this.latency.map((_, l) => "levels." + l + ".misses.read").concat(this.knowsCauses ? this.latency.flatMap((_, l) => of(l)) : []);
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

	// Figures of all code and data in the slices from..to-1, of one processor or of all.
	sumsIn(from, to, processor) {
		const t = this.run.tables.slice_sums,
			sums = new Array(this.width).fill(0);
		for (let r = 0; r < t.length; r++)
			if (t.get(r, "slice") >= from && t.get(r, "slice") < to && (processor === undefined || t.get(r, "processor") === processor)) this.addFigures(sums, 0, t, r);
		return sums;
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

	// The first row of each slice in the table of lines.
	takeLines() {
		const t = this.run.tables.slice_lines;
		this.lineRows = new Array(this.n + 1).fill(t ? t.length : 0);
		for (let r = (t ? t.length : 0) - 1; r >= 0; r--) this.lineRows[t.get(r, "slice")] = r;
		for (let i = this.n - 1; i >= 0; i--) this.lineRows[i] = Math.min(this.lineRows[i], this.lineRows[i + 1]);
	}

	// Figures of lines of source in the slices from..to-1, by lineKey().
	linesIn(from, to) {
		const t = this.run.tables.slice_lines,
			lines = new Map();
		for (let r = this.lineRows[from]; r < this.lineRows[to]; r++) {
			const key = lineKey(t.get(r, "file"), t.get(r, "line"));
			if (!lines.has(key)) lines.set(key, new Array(this.width).fill(0));
			this.addFigures(lines.get(key), 0, t, r);
		}
		return lines;
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

// A table with these columns of another one, and the stall and misses of the range; row(i): [stall, figures].
function rangedTable(part, t, kept, row) {
	const columns = kept.filter((c) => t.has(c)),
		figures = ["stall.read"].concat(part.figures);
	const rows = t.rows.map((old, i) => columns.map((c) => (old[t.at.get(c)] === undefined ? 0 : old[t.at.get(c)])).concat(row(i)));
	return new Table({ columns: columns.concat(figures, "stall.write"), rows, text_columns: Array.from(t.isText) }, t.texts);
}

function lineKey(file, line) {
	return file + "\n" + line;
}

// What `memspy lines --json` has of a line, in a range: of its stall in the whole run, the part that its misses have there.
// figures: undefined: no slice of the range has a row of it.
function rangedLine(s, line, figures, whole) {
	const levels = s.latency.length,
		weigh = (misses) => s.latency.reduce((sum, latency, l) => sum + latency * misses(l), 0),
		all = weigh((l) => line.levels[l].misses.read + line.levels[l].misses.write),
		stall = figures && all > 0 ? (line.stall_cycles * weigh((l) => figures[l])) / all : 0;
	return Object.assign({}, line, {
		stall_cycles: stall,
		stall_share: whole > 0 ? stall / whole : 0,
		data: [],
		levels: line.levels.map((_, l) => ({
			misses: { read: figures ? Math.round(figures[l]) : 0, write: 0 },
			causes: Object.fromEntries(CAUSES.map((c, k) => [c.key, figures && s.knowsCauses ? Math.round(figures[levels + l * CAUSES.length + k]) : 0])),
		})),
	});
}

// The files of `memspy lines --json` in a range; null: the run has no lines by slice. Called when they are shown, since a
// served page fetches them.
function rangedLines(part) {
	const run = part.whole,
		s = slicesOf(run),
		found = s.linesIn(part.range.from, part.range.to),
		whole = part.totals.stall_cycles;
	if (!run.data.lines || !run.tables.slice_lines || run.tables.slice_lines.length === 0) return null;
	const files = run.data.lines.files.map((file) => {
		const lines = file.lines.map((line) => rangedLine(s, line, found.get(lineKey(file.file, line.line)), whole));
		return Object.assign({}, file, { lines, stall_share: lines.reduce((sum, line) => sum + line.stall_share, 0), rest: { lines: 0, stall_share: 0 } });
	});
	return Object.assign({}, run.data.lines, { files, rest: { stall_cycles: 0 }, unknown_line: { stall_cycles: 0 } });
}

// The run as if it had only the slices from..to-1.
function rangedRun(run, from, to) {
	const s = slicesOf(run),
		t = run.tables.slice_bins,
		levels = run.levels.length,
		none = () => new Array(1 + s.width).fill(0);
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
			s.addFigures(sums, 1, t, r);
		}
		total[0] += s.stall[r];
	}
	for (let i = from; i < to; i++) total[0] += s.rest[i];
	s.sumsIn(from, to).forEach((n, k) => (total[1 + k] += n));
	const causes = (l) => CAUSES.map((c, k) => [c.key, s.knowsCauses ? total[1 + levels + l * CAUSES.length + k] : 0]);
	const inWhole = (l) => run.total("levels." + l + ".causes.invalidation") || 0,
		// Other caches answer as many of the misses by invalidation as in the whole run.
		peer = (l) => (inWhole(l) > 0 ? ((run.total("levels." + l + ".peer") || 0) * Object.fromEntries(causes(l)).invalidation) / inWhole(l) : 0);
	const part = Object.create(run),
		empty = none();
	part.whole = run;
	part.range = { from, to };
	part.rangeCauses = s.knowsCauses;
	part.run = Object.assign({}, run.run, { sampling: null });
	part.grouped = new Map();
	part.totals = {
		compute_cycles: 0, // not stored by time
		stall_cycles: total[0],
		levels: run.levels.map((level, l) => ({ name: level.name, misses: { read: total[1 + l], write: 0 }, causes: Object.fromEntries(causes(l)), peer: peer(l) })),
	};
	part.figures = s.figures;
	part.code = rangedTable(part, run.code, KEPT_OF_CODE, (i) => code.get(i) || empty);
	part.dataTable = rangedTable(part, run.dataTable, KEPT_OF_DATA, (i) => data.get(i) || empty);
	const keys = Array.from(bins.keys()).sort((a, b) => a - b);
	part.bins = new Table(
		{
			columns: ["code", "data", "stall.read"].concat(s.figures, "stall.write"),
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

// Call paths of a range: each has of the stall of a pair in the range as much as of that in the whole run. null: the run has none.
function rangedPaths(part) {
	const { paths, path_costs: costs } = part.whole.tables,
		rates = new Map();
	if (!paths || paths.length === 0) return null;
	const stall = (run, code, data) => {
		const table = code === null ? run.dataTable : run.bins,
			row = code === null ? data : run.bin(code, data);
		return row < 0 ? 0 : table.get(row, "stall_cycles");
	};
	const rate = (code, data) => {
		const key = pairKey(part, code, data),
			all = rates.has(key) ? 0 : stall(part.whole, code, data);
		if (!rates.has(key)) rates.set(key, all > 0 ? stall(part, code, data) / all : 0);
		return rates.get(key);
	};
	const inclusive = new Array(paths.length).fill(0),
		rows = [];
	for (let i = 0; i < costs.length; i++) {
		const path = costs.get(i, "path"),
			data = costs.get(i, "data"),
			value = costs.get(i, "stall") * rate(paths.get(path, "code"), data);
		if (value <= 0) continue;
		rows.push([path, data, value]);
		for (let p = path; p !== null; p = paths.get(p, "parent")) inclusive[p] += value;
	}
	return {
		paths: new Table({ columns: ["parent", "code", "inclusive"], rows: inclusive.map((value, p) => [paths.get(p, "parent"), paths.get(p, "code"), value]), text_columns: [] }, []),
		path_costs: new Table({ columns: ["path", "data", "stall"], rows, text_columns: [] }, []),
	};
}

// "steps 12.6M to 16.8M".
// As many digits as the two ends need to differ.
function stepRange(from, to) {
	const [a, b] = [count(from), count(to)];
	return "steps " + (a === b && from !== to ? grouped(from) + " to " + grouped(to) : a + " to " + b);
}

function stepsOf(slices, from, to) {
	return stepRange(slices.start(from), slices.ends[to - 1]);
}

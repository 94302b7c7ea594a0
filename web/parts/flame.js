// flame.js - a flame graph, drawn downwards: stall time by call path, colored by data or by cause.

const BOX_HEIGHT = 20,
	LETTER = 7.2, // pixels of one
	NARROWEST = 1; // pixels of a box that is drawn

const FLAME_COLORS = [
	{ key: "data", label: "Data" },
	{ key: "cause", label: "Cause" },
];

// By data: its series; the data with the most stall have one each.
function seriesOfData(run) {
	const order = Array.from({ length: run.dataTable.length }, (_, i) => i)
		.filter((i) => run.dataTable.get(i, "stall_cycles") >= SMALL * run.totals.stall_cycles)
		.sort((a, b) => run.dataTable.get(b, "stall_cycles") - run.dataTable.get(a, "stall_cycles"))
		.slice(0, MOST_AREAS);
	return new Map(order.map((row, i) => [row, i]));
}

// Whether replacement misses are divided into those by capacity and by conflicts.
function isDivided(run) {
	return run.levels.some((_, l) => dividedReplacement((path) => run.total(path), l) !== null);
}

// The data that these colors stand for: [{of: class, label}].
function dataColors(run, series) {
	return Array.from(series, ([row, i]) => ({ of: "series-" + i, label: link(dataAddress(run, row), name(run.dataName(row))) })).concat({ of: "others", label: "other data" });
}

// The causes that colors stand for: [{of: class, label}].
function causeColors(run) {
	const [first, replacement, invalidation] = CAUSES.map((c) => ({ of: c.key, label: c.label }));
	const replaced = isDivided(run)
		? [
				{ of: "replacement", label: "capacity" },
				{ of: "conflict", label: "conflict" },
				{ of: "ambiguous", label: "capacity or conflict" },
			]
		: [replacement];
	return [first].concat(replaced, run.several ? invalidation : []);
}

// Latency of the misses of a bin by cause, of all levels or of one: data that never misses the last level waits for the
// others.
function latencyByCause(run, bin, divided, level) {
	const sums = new Map(),
		get = (path) => run.bins.get(bin, path) || 0,
		add = (of, cycles) => cycles > 0 && sums.set(of, (sums.get(of) || 0) + cycles);
	missLatencies(run).forEach((latency, l) => {
		if (level !== undefined && level !== l) return;
		const parts = CAUSES.map((c) => ({ of: c.key, value: get("levels." + l + ".causes." + c.key) }));
		if (divided) parts.splice(1, 1, ...(dividedReplacement(get, l) || [{ of: "ambiguous", value: parts[1].value }]));
		for (const p of parts) add(p.of, latency * p.value);
	});
	return sums;
}

function hasWord(text, word) {
	return text.toLowerCase().includes(word);
}

// Where the details of a node are; null: it has none.
function nodeAddress(run, { code, data }) {
	if (code !== null && data !== null) return binAddress(run, code, data);
	if (code !== null) return codeAddress(run, code);
	return data !== null ? dataAddress(run, data) : null;
}

// A box, as an address names it: its code, or its data after "*"; "*" itself is other paths.
function stepTo(run, node) {
	if (node.data !== null && node.parent.data === null) return "*" + keysOf(run, "data").keys[node.data];
	return node.code === null ? "*" : keysOf(run, "code").keys[node.code];
}

function stepBelow(run, node, step) {
	const isData = step.length > 1 && step.startsWith("*"),
		row = step === "*" ? null : keysOf(run, isData ? "data" : "code").row(isData ? step.slice(1) : step);
	return node.children.find((c) => (isData ? c.data === row : c.code === row && c.data === node.data));
}

function pathTo(run, node) {
	const steps = [];
	for (let n = node; n.parent; n = n.parent) steps.unshift(encodeURIComponent(stepTo(run, n)));
	return steps.join("/");
}

class Flame {
	constructor(run) {
		this.run = run;
		this.series = seriesOfData(run);
		this.divided = isDivided(run);
		this.causes = new Map(); // of pairs
		this.known = run.tables.paths && run.tables.paths.length > 0;
		this.color = "data";
		this.inverted = false;
		this.build();
		this.plant();
	}

	build() {
		this.find = h("input", {
			type: "search",
			placeholder: "Find code or data",
			"aria-label": "Find in the flame graph",
			oninput: () => {
				this.draw();
				keepChoice("flame", "find", this.find.value);
			},
		});
		this.colors = choiceList(
			"flame-color",
			"color",
			FLAME_COLORS.filter((c) => !this.run.range || this.run.rangeCauses || c.key === "data"),
			() => {
				this.color = this.colors.value;
				this.draw();
			},
		);
		this.color = this.colors.value;
		this.invert = toggle(
			this.known ? "Callers" : "Data first",
			this.known ? "From the function that waits to its callers" : "Data, and the functions that use it",
			(on) => {
				this.inverted = on;
				this.plant();
			},
		);
		this.invert.dataset.choice = "callers";
		this.whole = h("button", { type: "button", onclick: () => this.zoom(this.root) }, "Show all");
		this.matched = h("span", { class: "quiet", role: "status" });
		this.facts = h("p", { class: "flame-facts", "aria-live": "polite" });
		this.pointed = h("p", { class: "flame-pointed quiet", "aria-hidden": "true" }, "\u00a0");
		this.key = h("div");
		this.picture = h("div", { class: "flame", onclick: (e) => this.click(e), onkeydown: (e) => this.press(e) });
		this.picture.addEventListener("mouseover", (e) => this.point(this.nodeOf(e)));
		this.picture.addEventListener("mouseleave", () => this.point(null));
		this.element = h(
			"div",
			{},
			h(
				"div",
				{ class: "tools" },
				h("label", { for: "flame-color" }, "Color "),
				this.colors,
				this.invert,
				this.whole,
				this.find,
				pictureIn("Flame graph", () => this.element),
				this.matched,
			),
			this.facts,
			this.pointed,
			this.picture,
			this.key,
		);
		new ResizeObserver(beforeNextPicture(() => this.draw())).observe(this.picture);
	}

	plant() {
		const make = this.known ? (this.inverted ? callerTree : callTree) : this.inverted ? dataTree : codeTree;
		this.root = make(this.run);
		this.zoom(this.root);
	}

	zoom(node) {
		this.top = node;
		this.at = node;
		this.whole.disabled = node === this.root;
		this.draw();
		this.tell(node);
		keepChoice("flame", "zoom", pathTo(this.run, node));
	}

	// Of a node: the data, or the cause, with most of its stall time.
	main(node) {
		if (node.main === undefined) node.main = {};
		if (node.main[this.color] === undefined) {
			const sums = new Map();
			this.addUp(node, sums);
			const most = Array.from(sums).sort((a, b) => b[1] - a[1])[0];
			node.main[this.color] = most ? most[0] : "others";
		}
		return node.main[this.color];
	}

	addUp(node, sums) {
		if (node.costs) node.costs.forEach((cost) => this.addCost(cost, sums));
		else if (node.data !== null && (node.children.length === 0 || this.color === "data")) this.addCost(node, sums);
		else for (const child of node.children) this.addUp(child, sums);
	}

	addCost({ code, data, value }, sums) {
		const add = (of, cycles) => sums.set(of, (sums.get(of) || 0) + cycles);
		if (this.color === "data") {
			add(this.series.has(data) ? "series-" + this.series.get(data) : "others", value);
			return;
		}
		const causes = this.causesOf(code, data),
			whole = Array.from(causes.values()).reduce((sum, cycles) => sum + cycles, 0);
		if (whole === 0) add("none", value);
		causes.forEach((cycles, of) => add(of, (value * cycles) / whole));
	}

	causesOf(code, data) {
		const key = pairKey(this.run, code, data);
		if (!this.causes.has(key)) {
			const bin = code === null ? -1 : this.run.bin(code, data);
			this.causes.set(key, bin < 0 ? new Map() : latencyByCause(this.run, bin, this.divided));
		}
		return this.causes.get(key);
	}

	// The boxes that are wide enough: those above the zoomed one have its whole width.
	boxes(width) {
		const list = [],
			above = [];
		for (let n = this.top.parent; n; n = n.parent) above.unshift(n);
		above.forEach((node) => list.push({ node, x: 0, w: width, y: node.depth }));
		const place = (node, x, w) => {
			list.push({ node, x, w, y: node.depth });
			let from = x;
			for (const child of node.children) {
				const part = node.value > 0 ? (child.value / node.value) * w : 0;
				if (part >= NARROWEST) place(child, from, part);
				from += part;
			}
		};
		place(this.top, 0, width);
		return list;
	}

	words(node) {
		const unit = this.run.run.hardware ? this.run.run.hardware.unit : "cycles";
		return (
			(node.data !== null && node.code !== null
				? this.run.dataName(node.data) + " in " + this.run.codeName(node.code)
				: node.label) +
			": " +
			count(node.value) +
			" " +
			unit +
			", " +
			percent(node.value, this.root.value) +
			(this.top === this.root || node.depth <= this.top.depth ? "" : " (" + percent(node.value, this.top.value) + " of " + this.top.label + ")")
		);
	}

	box({ node, x, w, y }, word) {
		const room = Math.floor((w - 6) / LETTER),
			match = word !== "" && this.isMatch(node, word);
		const address = nodeAddress(this.run, node); // for a middle click; a click zooms
		const element = svg(
			address ? "a" : "g",
			{
				href: address && "#" + address,
				class: "box fill-" + this.main(node) + (node.data !== null ? " data" : "") + (match ? " match" : ""),
				role: "treeitem",
				"aria-label": this.words(node),
				"aria-level": y + 1,
				tabindex: node === this.at ? 0 : -1,
			},
			svg("rect", { x: x.toFixed(1), y: y * BOX_HEIGHT, width: Math.max(0.5, w - 1).toFixed(1), height: BOX_HEIGHT - 1 }),
			room >= 3 &&
				svg("text", { x: (x + 4).toFixed(1), y: y * BOX_HEIGHT + 14 }, shortened([visible(node.label)], room)[0]),
		);
		element.node = node;
		return element;
	}

	draw() {
		const width = Math.floor(this.picture.clientWidth || chartWidth()),
			word = this.find.value.trim().toLowerCase(),
			list = this.boxes(width),
			depth = list.reduce((most, b) => Math.max(most, b.y), 0) + 1,
			focused = this.picture.contains(document.activeElement);
		replace(
			this.picture,
			svg(
				"svg",
				{
					viewBox: "0 0 " + width + " " + depth * BOX_HEIGHT,
					width,
					height: depth * BOX_HEIGHT,
					role: "tree",
					"aria-label": "Stall time by " + (this.known ? "call path" : "function and data"),
				},
				list.map((b) => this.box(b, word)),
			),
		);
		this.drawMatches(word);
		this.drawKey();
		if (focused) this.focus();
	}

	// Callers have no boxes of data: the function that waits for data is marked.
	isMatch(node, word) {
		return node.parent !== null && (hasWord(node.label, word) || (node.depth === 1 && this.ofData(node, word) > 0));
	}

	// What a box of callers waits for data of this name.
	ofData(node, word) {
		let sum = 0;
		if (node.costs) node.costs.forEach((cost) => (sum += hasWord(this.run.dataName(cost.data), word) ? cost.value : 0));
		return sum;
	}

	// The share of what matches; a match inside a match counts once.
	drawMatches(word) {
		if (word === "") {
			this.matched.textContent = "";
			return;
		}
		const others = (node) =>
			node.parent !== null && hasWord(node.label, word)
				? node.value - this.ofData(node, word)
				: node.children.reduce((all, child) => all + others(child), 0);
		this.matched.textContent = percent(this.ofData(this.root, word) + others(this.root), this.root.value) + " matches";
	}

	drawKey() {
		replace(
			this.key,
			legend(this.color === "cause" ? causeColors(this.run).concat({ of: "none", label: "no misses" }) : dataColors(this.run, this.series)),
		);
	}

	tell(node) {
		const run = this.run,
			address = nodeAddress(run, node),
			links = address ? [link(address, "details")] : [];
		if (node.code !== null && run.code.get(node.code, "file"))
			links.push(sourceLink(run, run.code.get(node.code, "file"), run.code.get(node.code, "line")));
		replace(
			this.facts,
			name(this.words(node)),
			links.map((l) => [" \u00b7 ", l]),
		);
	}

	nodeOf(e) {
		const box = e.target.closest && e.target.closest(".box");
		return box ? box.node : null;
	}

	// The links above stay those of the box that was chosen: on the way to them the pointer passes over others.
	point(node) {
		this.pointed.textContent = node ? visible(this.words(node)) : "\u00a0";
	}

	// What an address states beside the controls; what this run does not have is left out.
	choose(choices) {
		const steps = (choices.get("zoom") || "").split("/");
		let node = this.root;
		this.find.value = choices.get("find") || "";
		for (let next = node; next; next = stepBelow(this.run, node, decoded(steps.shift() || ""))) node = next;
		this.zoom(node);
	}

	click(e) {
		const node = this.nodeOf(e);
		if (!node || e.ctrlKey || e.metaKey || e.shiftKey) return; // a new tab or window
		e.preventDefault();
		this.zoom(node);
	}

	focus() {
		const box = Array.from(this.picture.querySelectorAll(".box")).find((b) => b.node === this.at);
		if (box) box.focus({ preventScroll: true });
	}

	// The node in the direction of a key.
	next(key) {
		const at = this.at,
			beside = at.parent ? at.parent.children : [at];
		return {
			ArrowDown: at.children[0],
			ArrowUp: at.parent,
			ArrowLeft: beside[beside.indexOf(at) - 1],
			ArrowRight: beside[beside.indexOf(at) + 1],
		}[key];
	}

	press(e) {
		const node = this.next(e.key);
		if (e.key === "Enter" || e.key === " ") {
			e.preventDefault();
			this.zoom(this.at);
		} else if (e.key === "Escape" && this.top !== this.root) {
			this.zoom(this.root);
			this.focus();
		} else if (e.key.startsWith("Arrow")) {
			e.preventDefault();
			if (!node) return;
			this.at = node;
			this.draw();
			this.tell(node);
		}
	}
}

function flamePart(run, page) {
	if (!run.totals.stall_cycles) return [helpFor("flame"), h("p", { class: "nothing" }, "Nothing waited for memory.")];
	if (run.range) Object.assign(run.tables, rangedPaths(run));
	const flame = (page.flame = new Flame(run));
	return [
		helpFor("flame"),
		flame.known &&
			run.range &&
			wholeRunNote("An estimate: the stall of a function on its data in this range is divided among its call paths as in the whole run."),
		!flame.known &&
			h("p", { class: "quiet" }, "This run has no call paths: functions and their data are shown. ", h("code", {}, "memspy run --call-paths"), " records them."),
		flame.element,
	];
}

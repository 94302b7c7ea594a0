// main.js - assembles the parts; the fragment of the address selects the one that is shown.

// ranged: whether it shows a range of time; inRange: what a part whose figures are of the whole run shows of a range of time, and rest: what it does not. needs: what a served page of a large run has to fetch first.
const RUN_PARTS = [
	{ key: "overview", label: "Overview", make: overviewPart, ranged: true, needs: [] },
	{ key: "matrix", label: "Matrix", make: matrixPart, ranged: true, needs: ["lists", "bins"] },
	{ key: "flame", label: "Flame graph", make: flamePart, ranged: true, needs: ["lists", "bins", "tree"] },
	{ key: "code", label: "Code", make: codePart, ranged: true, needs: ["lists"] },
	{ key: "data", label: "Data", make: dataPart, ranged: true, needs: ["lists", "frames", "evictions"] },
	{ key: "evictions", label: "Evictions", make: evictionsPart, needs: ["lists", "evictions"], when: (run) => run.data.evictions !== null, inRange: evictorsInRange, rest: "What evicted what is" },
	{ key: "sharing", label: "Sharing", make: sharingPart, needs: ["lists", "sharing", "lines"], when: (run) => run.several && run.data.sharing !== null, inRange: sharingInRange, rest: "Memory lines, and who wrote them, are" },
	{ key: "source", label: "Source", make: sourcePart, ranged: hasLinesByTime, needs: ["lists", "lines"], inRange: (run) => functionsInRange(run, "Slices of this run have functions, not lines."), rest: "Lines are" },
	{ key: "timeline", label: "Timeline", make: timelinePart, needs: ["lists", "bins", "time", "evictions", "threads"], when: (run) => run.data.evictions !== null && !isSum(run) },
	{ key: "threads", label: "Threads", make: threadsPart, needs: ["lists", "threads"], when: (run) => run.data.threads !== null && !isSum(run), inRange: threadsInRange, rest: "Computing, and waiting for others, are" },
	{ key: "ranks", label: "Ranks", make: ranksPart, needs: ["lists", "ranks"], when: (run) => run.later.has("ranks") || mergedRanks(run).length > 0 },
	{ key: "about", label: "Glossary", make: aboutPart, needs: [] },
];

// What the details of an entry show beside its own figures.
const DETAILS_NEED = ["lists", "evictions", "threads", "lines", "sharing"];

// Parts that show the whole run always.
const NOT_OF_TIME = ["timeline", "about"];

function aboutPart(run) {
	return [
		helpFor("about"),
		h(
			"dl",
			{ class: "facts" },
			GLOSSARY.map(([term, meaning]) => [h("dt", {}, term), h("dd", {}, meaning)]),
		),
		h("h3", {}, "Figures"),
		h(
			"dl",
			{ class: "facts" },
			Object.entries(HELP)
				.filter(([key]) => key !== "name")
				.map(([key, text]) => [h("dt", {}, key.replace("_", " ")), h("dd", {}, text)]),
		),
		h(
			"p",
			{ class: "quiet" },
			"The key ? lists all keys. Made by memspy ",
			run.data.memspy,
			", from a run by memspy ",
			run.run.memspy,
			".",
		),
	];
}

// One report: its parts are created when they are first shown.
class Page {
	constructor(run) {
		this.detail = document.getElementById("detail");
		this.before = null; // what had the focus when the details were opened
		this.choice = null; // what the details are of
		this.part = "overview";
		this.take(run);
		this.keyboard = new Keyboard(this);
		this.go();
		addEventListener("hashchange", () => this.go());
		addEventListener("beforeprint", () => this.print(true));
		addEventListener("afterprint", () => this.print(false));
		document.addEventListener("keydown", (e) => {
			if (e.key === "Escape" && !this.detail.hidden && !document.querySelector("dialog[open]")) this.close();
		});
	}

	// A run, or the same one with newer figures: nothing is drawn yet.
	take(run) {
		this.run = run;
		this.shown = run; // or a part of it by time
		this.range = null;
		this.overTime = null;
		this.made = new Map();
		this.matrix = null;
		this.flame = null;
		this.dataMap = null;
		this.parts = RUN_PARTS.filter((p) => !p.when || p.when(run));
		forgetTables();
		CHOICES.range = {};
		this.hide();
		this.build();
	}

	build() {
		const run = this.run.run,
			command = run.argv.length ? run.argv : [run.program];
		const words = command.map((w, i) => (i === 0 ? baseName(w) : w)).join(" ");
		document.title = visible(words + " - memspy");
		replace(
			document.getElementById("head"),
			h(
				"h1",
				{},
				name(words, { class: "name command", title: visible(words) }),
				" ",
				h(
					"span",
					{ class: "quiet run" },
					run.id === null ? "" : "run @" + run.id,
					run.tag ? [" ", name("@" + run.tag)] : null,
				),
			),
			h(
				"span",
				{ class: "tools" },
				SERVER && h("a", { href: served("") }, "All runs"),
				h(
					"button",
					{ type: "button", id: "open-search", title: "Search (/)", onclick: () => this.keyboard.does["/"]() },
					"Search",
				),
				h(
					"button",
					{ type: "button", id: "open-keys", title: "Keys (?)", "aria-label": "Keys", onclick: () => this.keyboard.does["?"]() },
					"?",
				),
				themeButton(),
			),
		);
		document.getElementById("nav").hidden = false;
		replace(
			document.getElementById("nav"),
			h(
				"ul",
				{},
				this.parts.map((p) =>
					h("li", {}, h("a", { href: "#" + p.key, "data-part": p.key }, p.label)),
				),
			),
		);
		replace(
			document.getElementById("main"),
			h("p", { id: "notice", role: "alert", hidden: true }),
			h("p", { id: "range", class: "range", role: "status", hidden: true }),
			this.parts.map((p) =>
				h(
					"section",
					{
						id: "part-" + p.key,
						class: "part",
						"aria-labelledby": "title-" + p.key,
						hidden: true,
					},
					h("h2", { id: "title-" + p.key }, p.label),
				),
			),
		);
	}

	make(part) {
		const element = document.getElementById("part-" + part.key),
			stated = CHOICES.byPart.get(part.key),
			waiting = element.querySelector(".waiting"),
			coming = loading(this.run, part.needs);
		if (this.made.has(part.key)) return;
		if (coming) {
			if (!waiting) add(element, [waitingNote()]);
			return;
		}
		if (waiting) waiting.remove();
		this.made.set(part.key, true);
		add(element, [
			this.range !== null && !this.isRanged(part) && !NOT_OF_TIME.includes(part.key)
				? [
						part.inRange && part.inRange(this.shown),
						wholeRunNote((part.rest || "Figures of this part are") + " not stored by time: the figures below are of the whole run."),
					]
				: null,
			part.make(this.isRanged(part) ? this.shown : this.run, this),
		]);
		this.choose(part.key, stated);
		if (this.kept) restorePart(this, part.key, element); // choices of a live page
	}

	// What the address of a part states, if anything.
	choose(key, stated) {
		const own = { matrix: this.matrix, flame: this.flame, data: this.dataMap }[key];
		restoreControls(document.getElementById("part-" + key), stated);
		if (own && stated) own.choose(new URLSearchParams(stated));
	}

	// Whether the part shows a range of time.
	isRanged(part) {
		return typeof part.ranged === "function" ? part.ranged(this.shown) : Boolean(part.ranged);
	}

	// The slices {from, to} that parts show; null: the whole run. Parts are made anew when they are shown.
	setRange(range) {
		const slices = slicesOf(this.run);
		this.range = range;
		this.shown = range ? rangedRun(this.run, range.from, range.to) : this.run;
		const bar = document.getElementById("range");
		bar.hidden = range === null;
		if (range)
			replace(
				bar,
				stepsOf(slices, range.from, range.to).replace("s", "S"),
				" (" + percent(slices.ends[range.to - 1] - slices.start(range.from), slices.steps) + " of the run, ",
				percent(this.shown.totals.stall_cycles, this.run.totals.stall_cycles) + " of its stall time, estimated) ",
				h("button", { type: "button", onclick: () => this.setRange(null) }, "Whole run"),
			);
		for (const part of this.parts) {
			if (NOT_OF_TIME.includes(part.key) || !this.made.has(part.key)) continue;
			const element = document.getElementById("part-" + part.key);
			keepControls(element);
			while (element.children.length > 1) element.lastChild.remove();
			this.made.delete(part.key);
			if (part.key === "matrix") this.matrix = null;
			if (part.key === "flame") this.flame = null;
		}
		if (this.overTime) this.overTime.showRange(range);
		keepRange(this.rangeInSteps());
		this.make(this.parts.find((p) => p.key === this.part) || this.parts[0]);
		if (this.choice && !this.detail.hidden) this.open(this.choice, true);
	}

	// As an address has it.
	rangeInSteps() {
		const slices = this.range && slicesOf(this.run);
		return slices ? { from: String(slices.start(this.range.from)), to: String(slices.ends[this.range.to - 1]) } : null;
	}

	// A range in steps, of an address.
	chooseRange(choices) {
		const slices = slicesOf(this.run),
			from = Number(choices.get("from")),
			to = Number(choices.get("to"));
		if (!slices || !(to > from) || !(from >= 0)) return;
		const range = { from: slices.at(from / slices.steps), to: slices.at(Math.min(1, to / slices.steps) - 1e-9) + 1 };
		if (!this.range || this.range.from !== range.from || this.range.to !== range.to) this.setRange(range);
	}

	show(key) {
		const part = this.parts.find((p) => p.key === key) || this.parts[0];
		this.part = part.key;
		for (const p of this.parts) document.getElementById("part-" + p.key).hidden = p !== part;
		for (const a of document.querySelectorAll("#nav a"))
			if (a.dataset.part === part.key) {
				const list = a.closest("ul"); // on a phone not all have room
				a.setAttribute("aria-current", "page");
				list.scrollLeft = a.offsetLeft - list.offsetLeft - (list.clientWidth - a.offsetWidth) / 2;
			} else a.removeAttribute("aria-current");
		this.make(part);
	}

	// Comes back here with what the address needs; until then the part, or the details, say that they wait.
	fetchFor([key, a], then) {
		const details = isEntry(key, a),
			part = this.parts.find((p) => p.key === key) || this.parts[0],
			range = addressParts().choices.has("from") ? RUN_PARTS.find((p) => p.key === "timeline").needs : [],
			coming = loading(this.run, (details ? DETAILS_NEED : part.needs).concat(range));
		if (coming === null) return false;
		if (!details || !this.made.size) this.show(details && key === "bin" ? "matrix" : key);
		if (details) this.showDetail(h("div", { class: "detail-head" }, waitingNote(), this.closer()));
		const address = location.hash;
		coming.then(
			() => location.hash === address && then(),
			(e) => this.tellGone(part, e),
		);
		return true;
	}

	tellGone(part, e) {
		const where = this.detail.hidden ? document.getElementById("part-" + part.key) : this.detail;
		for (const note of where.querySelectorAll(".waiting")) replace(note, goneText(e));
	}

	// Details of a large run are asked for, too.
	openEntry(code, data) {
		const known = (row, table) => row === null || (row >= 0 && row < table.length);
		if (!this.run.later.has("details") || !known(code, this.run.code) || !known(data, this.run.dataTable))
			return this.open(new Choice(this.run, code, data));
		const address = location.hash;
		this.showDetail(h("div", { class: "detail-head" }, waitingNote(), this.closer()));
		loadDetails(this.run, code, data).then(
			(part) => location.hash === address && this.open(new Choice(part, code, data)),
			(e) => this.tellGone(this.parts[0], e),
		);
	}

	// #matrix, #bin/CODE/DATA, #code/CODE, #data/DATA, #source/FILE/LINE
	go() {
		const { parts, choices } = addressParts(),
			[key, a, b] = parts,
			stated = statedChoices(choices),
			made = this.made.has(key),
			row = (list, text) => rowAt(this.run, list, text);
		if (this.fetchFor(parts, () => this.go())) return;
		this.notice(null);
		if (isEntry(key, a)) {
			if (!this.made.size) this.show(key === "bin" ? "matrix" : key);
			this.openEntry(key === "data" ? null : row("code", a), key === "bin" ? row("data", b) : key === "data" ? row("data", a) : null);
			return;
		}
		this.hide();
		if (choices.has("from")) this.chooseRange(choices);
		if (stated) CHOICES.byPart.set(key, stated);
		this.show(key);
		if (stated && made) this.choose(key, stated);
		const hottest = key === "source" && a === undefined ? hottestLine(this.shown) : null;
		scrollTo(0, 0);
		if (hottest) showLine(hottest.i, hottest.line, true);
		else if (key === "source") showLine(row("source", a), Number(b));
	}

	closer() {
		return h("button", { type: "button", class: "close", onclick: () => this.close() }, "Close");
	}

	showDetail(...content) {
		if (this.detail.hidden) this.before = document.activeElement;
		replace(this.detail, ...content);
		restoreControls(this.detail);
		this.detail.hidden = false;
		this.detail.scrollTop = 0;
		document.body.classList.add("with-detail");
	}

	// again: the same part as before, with newer figures.
	open(choice, again) {
		if (
			(choice.row < 0 && choice.of !== "bins") ||
			choice.code >= this.run.code.length ||
			choice.code === -1 ||
			choice.data >= this.run.dataTable.length ||
			choice.data === -1
		) {
			this.hide();
			this.show("overview");
			this.notice("Not in this run: " + addressParts().parts.slice(1).map(decoded).join(" with ") + ".");
			return;
		}
		const before = this.before;
		this.choice = choice;
		this.showDetail(detailOf(choice, this.closer()));
		if (this.range) this.detail.firstChild.after(this.inRange(choice), wholeRunNote("The other figures are of the whole run."));
		if (again) this.before = before;
		if (!again) this.detail.focus({ preventScroll: true });
	}

	// Of the range of time that is chosen.
	inRange({ of, code, data }) {
		const part = this.shown,
			table = part.tables[of],
			row = of === "bins" ? part.bin(code, data) : of === "code" ? code : data,
			get = (path) => (row >= 0 ? table.get(row, path) || 0 : 0);
		return h(
			"div",
			{ class: "in-range" },
			"In the range of time: ",
			percent(get("stall_cycles"), part.totals.stall_cycles),
			" of its stall time",
			part.levels.map((level, l) => ", " + level.name + " misses " + count(Math.round(get("levels." + l + ".misses.read")))),
			".",
			part.rangeCauses && part.levels.map((level, l) => get("levels." + l + ".misses.read") > 0 && [h("h5", {}, level.name), causesInRange(get, l)]),
		);
	}

	notice(text) {
		const note = document.getElementById("notice");
		note.hidden = text === null;
		note.className = text === null ? "" : "warning";
		note.textContent = text === null ? "" : visible(text);
	}

	choicePath() {
		const c = this.choice;
		if (c === null) return partAddress(this.part).slice(1);
		if (c.of === "bins") return binAddress(this.run, c.code, c.data);
		return c.of === "code" ? codeAddress(this.run, c.row) : dataAddress(this.run, c.row);
	}

	hide() {
		this.choice = null;
		this.detail.hidden = true;
		document.body.classList.remove("with-detail");
	}

	close() {
		this.hide();
		history.replaceState(null, "", partAddress(this.part));
		if (this.before && document.contains(this.before)) this.before.focus();
		else if (this.part === "matrix" && this.matrix) this.matrix.focus(false);
	}

	// For printing, folded parts are opened, and closed again afterwards.
	unfold(begins) {
		const folded = "details:not(.help):not([open])",
			open = this.unfolded || [];
		if (begins) open.push(...Array.from(document.querySelectorAll(folded)).slice(0, PRINTED));
		for (const d of open) {
			if (begins && d.fill) d.fill();
			d.open = begins;
		}
		this.unfolded = begins ? open : [];
	}

	// For printing, every part is shown with its first rows, and after them what is otherwise in details: layouts.
	print(begins) {
		for (const part of this.parts) this.make(part);
		for (const picture of document.querySelectorAll("#data-map .data-map")) if (begins) picture.drawNow();
		if (this.layouts) this.layouts.remove();
		this.layouts = begins ? printedLayouts(this.run) : null;
		if (this.layouts) document.getElementById("main").append(this.layouts);
		this.unfold(begins);
		printTables(begins);
		if (this.matrix === null) return; // it is on its way
		this.matrix.drawn = null;
		this.matrix.draw(begins);
	}
}

// Whether an address is of an entry, not of a part.
function isEntry(key, name) {
	return key === "bin" || ((key === "code" || key === "data") && name !== undefined);
}

function themeButton() {
	const root = document.documentElement,
		dark = () =>
			(root.dataset.theme ||
				(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
	const button = h(
		"button",
		{
			type: "button",
			class: "theme",
			onclick: () => {
				root.dataset.theme = dark() ? "light" : "dark";
				button.textContent = dark() ? "Light" : "Dark";
			},
		},
		dark() ? "Light" : "Dark",
	);
	button.setAttribute("aria-label", "Light or dark");
	return button;
}

document.getElementById("skip").addEventListener("click", () => document.getElementById("main").focus());
withData(
	(data) => {
		document.getElementById("nav").hidden = data.page !== "run"; // only reports have parts
		({
			run: () => new Page(new Run(data)),
			runs: () => new RunsPage(data),
			diff: () => new DiffPage(data),
			live: () => new LivePage(data),
			rules: () => new RulesPage(data),
			message: () => messagePage(data),
		})[data.page]();
	},
	(why) =>
		messagePage({
			text: "The figures of this page cannot be shown: " + why + ". memspy report and memspy show have them as text.",
		}),
);

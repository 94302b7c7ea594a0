// main.js - assembles the parts; the fragment of the address selects the one that is shown.

const RUN_PARTS = [
	{ key: "overview", label: "Overview", make: overviewPart },
	{ key: "matrix", label: "Matrix", make: matrixPart },
	{ key: "flame", label: "Flame graph", make: flamePart },
	{ key: "code", label: "Code", make: codePart },
	{ key: "data", label: "Data", make: dataPart },
	{ key: "evictions", label: "Evictions", make: evictionsPart, when: (run) => run.data.evictions !== null },
	{ key: "sharing", label: "Sharing", make: sharingPart, when: (run) => run.data.sharing !== null },
	{ key: "source", label: "Source", make: sourcePart },
	{ key: "timeline", label: "Timeline", make: timelinePart, when: (run) => run.data.evictions !== null },
	{ key: "threads", label: "Threads", make: threadsPart, when: (run) => run.data.threads !== null },
	{ key: "about", label: "Glossary", make: aboutPart },
];

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
		this.made = new Map();
		this.matrix = null;
		this.parts = RUN_PARTS.filter((p) => !p.when || p.when(run));
		forgetTables();
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
		if (this.made.has(part.key)) return;
		this.made.set(part.key, true);
		add(document.getElementById("part-" + part.key), [part.make(this.run, this)].flat());
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

	// #matrix, #bin/CODE/DATA, #code/CODE, #data/DATA, #source/FILE/LINE
	go() {
		const { parts, choices } = addressParts(),
			[key, a, b] = parts,
			row = (list, text) => rowAt(this.run, list, text);
		if (key === "bin" || ((key === "code" || key === "data") && a !== undefined)) {
			if (!this.made.size) this.show(key === "bin" ? "matrix" : key);
			this.open(
				new Choice(
					this.run,
					key === "data" ? null : row("code", a),
					key === "bin" ? row("data", b) : key === "data" ? row("data", a) : null,
				),
			);
			return;
		}
		this.hide();
		this.show(key);
		if (key === "matrix" && this.matrix) this.matrix.choose(choices);
		const hottest = key === "source" && a === undefined ? hottestLine(this.run) : null;
		scrollTo(0, 0);
		if (hottest) showLine(hottest.i, hottest.line, true);
		else if (key === "source") showLine(row("source", a), Number(b));
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
			this.show("overview");
			return;
		}
		if (this.detail.hidden && !again) this.before = document.activeElement;
		this.choice = choice;
		const close = h("button", { type: "button", class: "close", onclick: () => this.close() }, "Close");
		replace(this.detail, detailOf(choice, close));
		this.detail.hidden = false;
		this.detail.scrollTop = 0;
		document.body.classList.add("with-detail");
		if (!again) this.detail.focus({ preventScroll: true });
	}

	choicePath() {
		const c = this.choice;
		if (c === null) return this.part;
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
		history.replaceState(null, "", "#" + this.part);
		if (this.part === "matrix" && this.matrix) this.matrix.keep();
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

	// For printing, every part is shown with its first rows.
	print(begins) {
		for (const part of this.parts) this.make(part);
		this.unfold(begins);
		printTables(begins);
		this.matrix.drawn = null;
		this.matrix.draw(begins);
	}
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
	(data) =>
		({
			run: () => new Page(new Run(data)),
			runs: () => new RunsPage(data),
			diff: () => new DiffPage(data),
			live: () => new LivePage(data),
			rules: () => new RulesPage(data),
			message: () => messagePage(data),
		})[data.page](),
	(why) =>
		messagePage({
			text: "The figures of this page cannot be shown: " + why + ". memspy report and memspy show have them as text.",
		}),
);

// served.js - pages that only `memspy serve` has: the list of runs, running programs, messages.

function served(path) {
	return SERVER.base + path;
}

// Fetches from this page's server; failures are reported, and retried.
async function fetchJson(path) {
	const answer = await fetch(served(path), { headers: { "X-Memspy": "1" }, cache: "no-store" });
	if (!answer.ok) throw new Error("it answers " + answer.status);
	return answer.json();
}

function goneText(e) {
	return "The server does not answer correctly (" + e.message + "). If it has ended, start memspy serve again.";
}

function commandOf(run) {
	const words = run.argv.length ? run.argv : [run.program];
	return words.map((w, i) => quoted(i === 0 ? baseName(w) : w)).join(" ");
}

function tagsOf(run) {
	return (run.tags || (run.tag ? [run.tag] : [])).join(" ");
}

class RunsPage {
	constructor(data) {
		this.chosen = [];
		this.looks = 0;
		this.again = 0;
		this.table = null;
		this.runs = data.runs.runs;
		this.digests = new Digests(() => this.showDigests());
		new ListKeyboard();
		document.title = "Runs - memspy";
		replace(
			document.getElementById("head"),
			h("h1", {}, "Runs"),
			h("span", { class: "tools" }, h("a", { href: served("rules") }, "Rules"), themeButton()),
		);
		this.live = h("section", { "aria-live": "polite" });
		this.compare = h("p", { class: "quiet" });
		this.list = h("div");
		replace(document.getElementById("main"), this.live, this.compare, this.list);
		this.draw();
		this.drawLive(data.live);
		this.watch();
		PHONE.addEventListener("change", () => this.draw());
	}

	// The user's selection is kept when the list of runs changes.
	draw() {
		const view = this.table && this.table.view(),
			focus = keepFocus();
		this.known = JSON.stringify(this.runs);
		this.chosen = this.chosen.filter((id) => this.runs.some((r) => r.id === id));
		this.showSelection();
		forgetTables();
		this.table = this.runs.length > 0 ? this.makeTable(this.runs.slice().reverse()) : null;
		replace(
			this.list,
			this.table ? this.table.element : h("p", {}, "There are no runs yet: memspy run PROGRAM makes one."),
		);
		if (view && this.table) this.table.restore(view);
		restoreFocus(focus);
	}

	makeTable(runs) {
		return new ListTable({
			caption: "Runs",
			cards: true,
			rows: runs,
			words: (r) => commandOf(r) + " " + tagsOf(r) + " " + machineOf(r),
			address: (r) => served("run/" + r.id),
			columns: [
				{
					key: "program",
					label: "Program",
					text: true,
					value: commandOf,
					cell: (r) => name(commandOf(r)),
				},
				{
					key: "compare",
					label: "Compare",
					text: true,
					cell: (r) => this.box(r),
				},
				{
					key: "id",
					label: "Run",
					value: (r) => r.id,
					cell: (r) => "@" + r.id,
				},
				{
					key: "tag",
					label: "Tag",
					text: true,
					value: (r) => tagsOf(r),
					cell: (r) => name(tagsOf(r)),
				},
				{
					key: "started",
					label: "Started",
					text: true,
					value: (r) => r.started,
					cell: (r) => r.started,
				},
				{
					key: "seconds",
					label: "Seconds",
					value: (r) => r.wall_seconds,
					cell: (r) => fixed(r.wall_seconds, 1),
				},
				{
					key: "references",
					label: "References",
					help: "references",
					value: (r) => r.references,
					between: estimated,
				},
				{
					key: "rate",
					label: "Miss rate",
					help: "rate",
					value: (r) =>
						r.references > 0
							? r.level_misses / r.references
							: null,
					cell: (r) => percent(r.level_misses, r.references),
					between: estimated,
				},
				{
					key: "stall",
					label: "Stall",
					help: "stall",
					value: (r) => this.digests.stall(r),
					cell: (r) => this.digests.stallText(r),
				},
				{
					key: "waiting",
					label: "Waiting",
					help: "waiting",
					value: (r) => this.digests.waiting(r),
					cell: (r) => share(this.digests.waiting(r)),
				},
				{
					key: "course",
					label: "Stall over the run",
					cell: (r) => this.digests.picture(r),
				},
				{
					key: "end",
					label: "End",
					text: true,
					value: (r) => r.end,
					cell: (r) =>
						r.end === "exited"
							? "exit " + r.exit_status
							: r.end === "incomplete"
								? incompleteState(r)
								: r.end,
				},
				{
					key: "machine",
					label: "Machine",
					text: true,
					value: machineOf,
					cell: (r) => name(machineOf(r)),
				},
			],
		});
	}

	// Figures of runs that are in sight come one by one.
	showDigests() {
		if (this.table) this.table.refresh(["stall", "waiting", "course"]);
	}

	box(run) {
		return h("input", {
			type: "checkbox",
			"aria-label": "Compare run @" + run.id,
			checked: this.chosen.includes(run.id),
			onchange: (e) => {
				this.chosen = e.target.checked
					? this.chosen.concat([run.id]).slice(-2)
					: this.chosen.filter((id) => id !== run.id);
				for (const other of this.list.querySelectorAll('input[type="checkbox"]'))
					other.checked = this.chosen.some(
						(id) => other.getAttribute("aria-label") === "Compare run @" + id,
					);
				this.showSelection();
			},
		});
	}

	showSelection() {
		const [a, b] = this.chosen.slice().sort((x, y) => x - y);
		replace(
			this.compare,
			b === undefined
				? "Choose two runs to compare them."
				: h(
						"a",
						{ href: served("diff/" + a + "/" + b) },
						"Compare run @" + a + " with run @" + b,
					),
		);
	}

	// While the page is visible: running programs, and runs that were stored meanwhile.
	watch() {
		setTimeout(async () => {
			if (!document.hidden) {
				try {
					await this.ask();
				} catch (e) {
					replace(this.live, h("p", { class: "warning", role: "note" }, goneText(e)));
				}
			}
			this.watch(); // first: whatever cannot be drawn now, the next may be
			this.drawNews();
		}, 1000);
	}

	// A run is stored a moment after its program has ended; short programs may end before they are listed.
	async ask() {
		const live = await fetchJson("live.json"),
			again = live.length < this.running ? 10 : this.again - 1,
			due = again > 0 || this.looks++ % 10 === 0,
			runs = due ? (await fetchJson("runs.json")).runs : null;
		this.again = again;
		this.news = { live, runs };
	}

	drawNews() {
		const news = this.news;
		this.news = null;
		if (!news) return;
		this.drawLive(news.live);
		if (news.runs && JSON.stringify(news.runs) !== this.known) {
			this.runs = news.runs;
			this.draw();
		}
	}

	drawLive(live) {
		this.running = live.length;
		replace(
			this.live,
			live.length > 0 && h("h2", {}, "Running now"),
			live.map((program) => liveCard(program)),
		);
	}
}

// Their intervals are in the run's own page.
function estimated(r) {
	return r.sampled ? "estimate" : "";
}

// As in memspy runs: sampled runs are of the real machine.
function machineOf(r) {
	return r.source ? "real: " + r.source : r.machine;
}

// The figures of a running program, and the course of its miss rate.
function liveCard(program) {
	const m = program.moments,
		last = m[m.length - 1],
		rates = [];
	for (let i = 0; i < m.length; i++) {
		const before = i > 0 ? m[i - 1] : { references: 0, misses: 0 },
			n = m[i].references - before.references;
		rates.push(n > 0 ? Math.min(1, (m[i].misses - before.misses) / n) : null); // the two are not read at the same moment
	}
	const highest = Math.max(0.001, ...rates.filter((r) => r !== null));
	return h(
		"article",
		{ class: "card live", "data-pid": program.pid },
		h("h3", {}, name(program.argv.map((w, i) => quoted(i === 0 ? baseName(w) : w)).join(" "))),
		h(
			"p",
			{},
			h("b", { class: "live-references" }, count(last.references)),
			program.sampled ? " samples in " : " references in ",
			last.seconds.toFixed(1),
			" s",
			!program.sampled && [", ", h("b", {}, percent(last.misses, last.references)), " miss the first level"],
			program.ended && "; the program has ended, its run is being computed",
			program.sampled ? ". The real machine, sampled by " : ". Machine ",
			name(program.machine),
			".",
		),
		h("p", {}, h("a", { href: served("live/" + program.pid) }, "Its data and code so far")),
		!program.sampled &&
			rates.length > 1 &&
			lines(
				[{ label: "miss rate", of: "series-1", values: rates }],
				highest,
				"Miss rate of the first level since the start, now " + share(rates[rates.length - 1]),
				"miss rate of the first level",
				"now",
				percentTicks(highest, 160),
			),
	);
}

function messagePage(data) {
	document.title = "memspy";
	replace(document.getElementById("head"), h("h1", {}, "memspy"), themeButton());
	replace(
		document.getElementById("main"),
		h("p", { class: "warning", role: "alert" }, data.text),
		SERVER && h("p", {}, h("a", { href: served("") }, "All runs")),
	);
}

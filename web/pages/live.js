// live.js - a running program: the page of a run, redrawn when there are new figures.

// The user's selection, by name: row numbers differ in the next figures. Parts that are not made again at once keep theirs
// until they are.
function keepView(page) {
	keepControls(document.getElementById("middle"));
	const choice = page.choice,
		old = page.kept || { tables: [], matrix: null },
		tables = TABLES.filter((t) => document.contains(t.element));
	return {
		part: page.part,
		top: scrollY,
		detailTop: page.detail.scrollTop,
		choice: choice && {
			code: choice.code === null ? null : page.run.codeName(choice.code),
			data: choice.data === null ? null : page.run.dataName(choice.data),
		},
		tables: new Map([...old.tables, ...tables.map((t) => [t.caption, t.view()])]),
		matrix: page.matrix ? page.matrix.view() : old.matrix,
		range: page.rangeInSteps(),
		focus: keepFocus(),
	};
}

// What has been restored belongs to the page again.
function restoreIn(root, kept) {
	for (const table of TABLES)
		if (root.contains(table.element) && kept.tables.has(table.caption)) {
			table.restore(kept.tables.get(table.caption));
			kept.tables.delete(table.caption);
		}
}

// A part that has been made with newer figures.
function restorePart(page, key, root) {
	const kept = page.kept;
	if (key === "matrix" && page.matrix && kept.matrix) {
		page.matrix.restore(kept.matrix);
		kept.matrix = null;
	}
	restoreIn(root, kept);
}

// The element with the focus, and the position of the cursor in it; cells of the matrix restore themselves.
function keepFocus() {
	const active = document.activeElement,
		any = active && active !== document.body && active.role !== "gridcell";
	return { key: any ? focusKey(active) : null, caret: any && active.type === "search" ? active.selectionStart : null };
}

function focusKey(element) {
	return element.tagName + "\n" + (element.getAttribute("aria-label") || element.textContent);
}

function restoreView(page, kept) {
	page.kept = null; // a hidden part cannot scroll
	if (kept.range) page.chooseRange(new URLSearchParams(kept.range));
	page.show(kept.part);
	page.kept = kept;
	restorePart(page, page.part, document.getElementById("part-" + page.part));
	if (kept.choice) {
		const row = (table, wanted) => (wanted === null ? null : rowNamed(table, wanted)),
			code = row(page.run.code, kept.choice.code),
			data = row(page.run.dataTable, kept.choice.data);
		if (code !== -1 && data !== -1) page.open(new Choice(page.run, code, data), true);
		history.replaceState(null, "", "#" + page.choicePath());
	}
	restoreIn(page.detail, kept);
	page.detail.scrollTop = kept.detailTop;
	scrollTo(0, kept.top);
	restoreFocus(kept.focus);
}

function restoreFocus(kept) {
	if (kept.key === null) return;
	const tag = kept.key.split("\n")[0];
	for (const element of document.getElementsByTagName(tag))
		if (focusKey(element) === kept.key) {
			element.focus({ preventScroll: true });
			if (kept.caret !== null) element.setSelectionRange(kept.caret, kept.caret);
			return;
		}
}

function rowNamed(table, wanted) {
	for (let i = 0; i < table.length; i++) if (table.get(i, "name") === wanted) return i;
	return -1;
}

class LivePage {
	constructor(data) {
		this.pid = data.pid;
		this.program = data.live.find((p) => p.pid === data.pid);
		this.page = null;
		this.paused = false;
		this.spoilt = false; // the last figures could not be drawn
		this.ended = false;
		this.note = h("p", { class: "live-note", role: "note" });
		this.pause = toggle("Pause", "Keep the present figures", (on) => {
			this.paused = on;
		});
		document.title = "memspy";
		replace(
			document.getElementById("head"),
			h("h1", {}, this.program ? name(this.commandLine()) : "Process " + this.pid),
			h("span", { class: "tools" }, h("a", { href: served("") }, "All runs"), themeButton()),
		);
		document.getElementById("middle").before(h("div", { class: "live-head" }, this.note, this.pause));
		this.tell("The program is running; its figures are being computed.");
		this.look();
	}

	commandLine() {
		return this.program.argv.map((w, i) => quoted(i === 0 ? baseName(w) : w)).join(" ");
	}

	tell(...words) {
		replace(this.note, ...words);
	}

	// Distinguishes figures that the server does not send from figures that cannot be drawn.
	async look() {
		let answer = null;
		if (!this.paused && !document.hidden) {
			try {
				answer = await this.ask();
			} catch (e) {
				this.tell(goneText(e));
			}
		}
		if (answer !== null) this.use(answer);
		if (!this.ended) setTimeout(() => this.look(), 1000);
	}

	// {data}: its figures; {runs}: it has ended, and these runs are stored; null: there is nothing yet.
	async ask() {
		const answer = await fetch(served("live/" + this.pid + ".json"), {
			headers: { "X-Memspy": "1" },
			cache: "no-store",
		});
		if (answer.status === 404) return { runs: (await fetchJson("runs.json")).runs };
		if (!answer.ok) throw new Error("it answers " + answer.status);
		const data = await answer.json();
		return data === null ? null : { data };
	}

	use(answer) {
		try {
			if (answer.runs) this.finish(answer.runs);
			else this.draw(answer.data);
		} catch (e) {
			this.spoilt = true; // it may be half drawn: the next figures begin anew
			this.tell("These figures could not be shown (" + e.message + "), which is an error in memspy. The next ones will be tried.");
			reportError(e);
		}
	}

	draw(data) {
		const run = data.report.run,
			references = data.report.totals.references;
		data.live = true;
		this.tell(
			"The program is running: these are the figures of its first ",
			h("b", { class: "live-seconds" }, fixed(run.wall_seconds, 1)),
			" s, ",
			run.hardware
				? count(run.hardware.samples) + " samples."
				: count(references.read + references.write) + " references.",
		);
		if (this.page && !this.spoilt && this.page.run.run.wall_seconds === run.wall_seconds) return;
		if (!this.page) this.page = new Page(new Run(data));
		else if (this.spoilt) {
			this.page.take(new Run(data));
			this.page.go();
		} else {
			const kept = keepView(this.page);
			this.page.take(new Run(data));
			restoreView(this.page, kept);
		}
		this.spoilt = false;
	}

	// It has ended: its run is stored a moment later, and found by its start time.
	finish(kept) {
		const began = this.program ? Date.parse(this.program.started) : 0,
			words = this.program ? JSON.stringify(this.program.argv) : "";
		const runs = kept.filter(
			(r) => JSON.stringify(r.argv) === words && Math.abs(Date.parse(r.started) - began) < 60000,
		);
		this.tries = (this.tries || 0) + 1;
		this.ended = runs.length > 0 || this.tries > 60;
		const last = runs[runs.length - 1];
		this.tell(
			"The program has ended. ",
			last
				? h("a", { href: served("run/" + last.id) }, "Its run is kept: @" + last.id)
				: this.ended
					? "Its run was not kept here."
					: "Its run is being computed.",
		);
		this.pause.hidden = true;
	}
}

// tests/browser/sampled.js PAGE REPORT.json LINES.json SHOW.json ESTIMATE - a page of a sampled run: every figure with a 95%
// interval shows it, equal to memspy's JSON; the page says which figures have none. ESTIMATE is the same page with
// a range of all references from half to twice their number.
"use strict";
const { run, check, same, until, readJson, count } = require("./lib.js");
const [pageFile, reportFile, linesFile, showFile, estimateFile] = process.argv.slice(2);
const report = readJson(reportFile),
	lines = readJson(linesFile),
	show = readJson(showFile);

const all = report.totals.references.read + report.totals.references.write;
// Tables of the page have six digits of each.
const kept = { digits: 6 };
function between(bounds, text, unit = "") {
	if (bounds === null || bounds.high === 0) return "";
	const low = text(Number(bounds.low.toPrecision(kept.digits))),
		high = text(Number(bounds.high.toPrecision(kept.digits)));
	return (low === high ? low : low + "\u2013" + high) + unit;
}
const shares = (bounds, digits = 1) => between(bounds, (v) => (v * 100).toFixed(digits), "%");
const counts = (bounds, times = 1) => between(bounds, (v) => count(Math.round(v * times))); // the page, too

// For names of one entry only: two libraries may have functions of the same name.
function single(part, figures) {
	const times = (name) => report[part].filter((e) => e.name === name).length;
	return Object.fromEntries(Object.entries(figures).filter(([name]) => times(name) === 1));
}

// The visible cells of a list under a column header: row name -> interval.
async function column(page, part, label) {
	const all = await page.evaluate(
		([id, head]) => {
			const table = document.querySelector("#part-" + id + " .list table"),
				k = [...table.querySelectorAll("thead th")].findIndex((th) => th.innerText.trim() === head);
			return Object.fromEntries(
				[...table.querySelectorAll("tbody tr:not(.space)")].map((tr) => [
					tr.cells[0].innerText,
					tr.cells[k].dataset.between,
				]),
			);
		},
		[part, label],
	);
	return single(part, all);
}

async function lists(open) {
	for (const part of ["code", "data"]) {
		const { page } = await open(pageFile + "#" + part);
		const seen = await column(page, part, "Stall"),
			wanted = (text) =>
				single(part, Object.fromEntries(report[part].filter((e) => e.name in seen).map((e) => [e.name, e.intervals ? text(e.intervals) : ""])));
		check(part + ": rows", Object.keys(seen).length >= Math.min(10, report[part].length / 2), seen);
		same(part + ": stall", await column(page, part, "Stall"), wanted((i) => shares(i.stall_share)));
		same(part + ": references", await column(page, part, "References"), wanted((i) => counts(i.reference_share, all)));
		for (const [l, level] of report.run.machine_levels.entries()) {
			same(
				part + ": " + level.name + " misses",
				await column(page, part, level.name + " misses"),
				wanted((i) => counts(i.levels[l].misses)),
			);
			same(
				part + ": " + level.name + " rate",
				await column(page, part, level.name + " rate"),
				wanted((i) => shares(i.levels[l].miss_rate, 2)),
			);
		}
		const look = await page.evaluate((id) => {
			const cell = document.querySelector("#part-" + id + " tbody td[data-between]"),
				rows = [...document.querySelectorAll("#part-" + id + " tbody tr:not(.space)")];
			return {
				shown: getComputedStyle(cell, "::after").content === JSON.stringify(cell.dataset.between),
				high: Math.max(...rows.map((r) => r.getBoundingClientRect().height)),
			};
		}, part);
		check(part + ": it is seen, and rows are no higher for it", look.shown && look.high <= 31, look);
		for (const [label, key] of [["first", "first"], ["replaced", "replacement"]])
			same(part + ": " + label, await column(page, part, label), wanted((i) => counts(i.levels[0].causes[key])));
		check(part + ": figures without intervals are named", (await page.locator("#part-" + part + " .sampling-note").textContent()).match(/(have|has) none/) !== null);
	}
}

async function matrix(open) {
	const { page } = await open(pageFile + "#matrix");
	const cells = () =>
		page.evaluate(() =>
			Object.fromEntries(
				[...document.querySelectorAll('#part-matrix .matrix [role="gridcell"]')]
					.filter((c) => c.innerText !== "")
					.map((c) => [c.getAttribute("aria-label").split(":")[0], c.dataset.between]),
			),
		);
	const compare = async (what, text) => {
		const got = await cells(),
			wanted = {};
		// Two libraries may have functions of the same name.
		for (const key of Object.keys(got)) if (report.bins.filter((b) => b.code + " with " + b.data === key).length > 1) delete got[key];
		for (const b of report.bins) {
			const key = b.code + " with " + b.data;
			if (key in got) wanted[key] = b.intervals ? text(b.intervals) : "";
		}
		const sorted = (o) => Object.keys(o).sort().map((k) => [k, o[k]]);
		check("matrix: " + what, JSON.stringify(sorted(got)) === JSON.stringify(sorted(wanted)) && Object.keys(got).length > 0, [got, wanted]);
	};
	const bare = (bounds) => between(bounds, (v) => (v * 100).toFixed(1));
	await page.click('button:has-text("Show all")');
	await compare("shares of stall", (i) => bare(i.stall_share));
	await page.click('button:has-text("Absolute")');
	await compare("stall cycles", (i) => counts(i.stall_cycles));
	await page.selectOption("#metric", report.run.machine_levels[0].name + "_misses");
	await compare("misses", (i) => counts(i.levels[0].misses));
	await page.click('button:has-text("Absolute")');
	await compare("shares of misses", (i) => bare(i.levels[0].miss_share));
	const label = await page.locator('[role="gridcell"]:not(.none)').first().getAttribute("aria-label");
	check("matrix: in words, too", /95%: [0-9.]+/.test(label), label);
	await page.selectOption("#metric", report.run.machine_levels[0].name + "_first");
	await compare("shares of causes have none", () => "");
	check("matrix: and the legend says so", (await page.locator(".heat-legend").innerText()).includes("no intervals"));
	await page.click('button:has-text("Absolute")');
	await compare("numbers of a cause", (i) => counts(i.levels[0].causes.first));
	check("matrix: and the legend does not", !(await page.locator(".heat-legend").innerText()).includes("no intervals"));
}

// Evictions between data: in the matrix, in the list of places, and of one bin.
async function evictions(open) {
	const { page } = await open(pageFile + "#evictions"),
		data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).evictions),
		first = data.levels.find((l) => l.evictions > 0).name,
		known = data.pairs.filter((p) => p.level === first && p.low !== null);
	check("evictions: pairs have them", known.length > 0 && known.every((p) => p.low <= p.evictions && p.evictions <= p.high), known);
	const cells = await page.evaluate(() =>
		[...document.querySelector("#part-evictions table.matrix").querySelectorAll("td.heat[data-between]")].map((c) => [
			c.getAttribute("aria-label").split(":")[0],
			c.dataset.between,
		]),
	);
	const wanted = new Map(known.map((p) => [p.evicted_by + " pushes out " + p.evicted, counts(p)]));
	check("evictions: the matrix shows them", cells.length > 0 && cells.every(([who, text]) => wanted.get(who) === text), cells);
	const totals = await page.evaluate(() => {
		const table = document.querySelector("#part-evictions table.matrix"),
			of = (cells) => cells.map((c) => [Number(c.title.replace(/\D/g, "")), c.dataset.between]);
		return {
			level: of([table.tHead.rows[1].cells[1]])[0],
			victims: of([...table.tHead.rows[1].cells].slice(2)),
			evictors: of([...table.tBodies[0].rows].map((r) => r.cells[1])),
			words: document.querySelector("#part-evictions section > p").innerText,
		};
	});
	const level = data.levels.find((l) => l.name === first),
		about = data.data.filter((d) => d.level === first),
		// Two may have the same figure, and other intervals: pairs, not a map by figure.
		shown = (figure) =>
			new Set(about.filter((d) => d.intervals[figure] !== null).map((d) => d[figure] + " " + counts(d.intervals[figure])));
	same("evictions: of the level", totals.level, [level.evictions, counts(level.intervals.evictions)]);
	check("evictions: and in words", totals.words.includes("95%: " + counts(level.intervals.replacement_stall_cycles)), totals.words);
	for (const [list, figure] of [["victims", "evicted"], ["evictors", "evicts"]]) {
		const wantedTotals = shown(figure);
		check(
			"evictions: totals of " + list,
			totals[list].length > 2 && totals[list].every(([n, text]) => wantedTotals.has(n + " " + text)) && totals[list][0][1] !== undefined,
			totals[list],
		);
	}
	check("evictions: so does the list", (await page.locator("#part-evictions .list td[data-between]").count()) > 0);
}

async function source(open) {
	const { page } = await open(pageFile + "#source");
	const got = await page.evaluate(() =>
		[...document.querySelectorAll("#part-source tr.hot")].map((tr) => [
			Number(tr.cells[1].innerText),
			...[0, 4, 5].map((k) => tr.cells[k].dataset.between),
		]),
	);
	kept.digits = 17; // lines are as their command writes them
	const own = lines.files.filter((f) => f.trouble === null).flatMap((f) => f.lines);
	same(
		"source: stall, references and misses of each line",
		got,
		own.map((l) =>
			l.intervals
				? [l.line, shares(l.intervals.stall_share), counts(l.intervals.reference_share, all), counts(l.intervals.levels[0].misses)]
				: [l.line, "", "", ""],
		),
	);
	kept.digits = 6;
}

async function details(open) {
	const { page } = await open(pageFile + "#bin/0/0"),
		s = show.selected.intervals,
		text = (id) => page.locator("#figure-" + id).innerText();
	const code = report.code.findIndex((c) => c.name === show.selected.code[0]),
		data = report.data.findIndex((d) => d.name === show.selected.data[0]);
	await page.goto(pageFile + "#bin/" + code + "/" + data);
	check("details: stall", (await text("stall")).endsWith("95%: " + counts(s.stall_cycles)), await text("stall"));
	check("details: its share", (await text("stall-share")).endsWith("95%: " + shares(s.stall_share)));
	const level = report.run.machine_levels[0].name;
	check("details: share of misses", (await text(level + "-share")).endsWith("95%: " + shares(s.levels[0].miss_share)));
	const words = await page.locator("#detail .level p").first().innerText();
	check("details: miss rate", words.endsWith("95%: " + shares(s.levels[0].miss_rate, 2)), words);
	const by = show.selected.replaced_by.find((r) => r.level === level && r.low !== null),
		bars = await page.evaluate(() =>
			[...document.querySelector("#detail .level .replacers").querySelectorAll("td[data-between]")].map((c) => [c.innerText, c.dataset.between]),
		);
	same("details: evictors", bars[0], [count(by.count), counts(by)]);
	const why = await page.locator("#detail .level .causes").first().innerText();
	check("details: causes", why.includes("95%: " + counts(s.levels[0].causes.replacement)), why);
	check("details: lines of source", (await page.locator("#detail td[data-between]").count()) > 0);
}

async function others(open) {
	const { page } = await open(pageFile, { viewport: { width: 390, height: 844 } });
	await until(page, () => document.querySelector("#part-overview .card"));
	kept.digits = 17;
	const cards = await page.locator("#part-overview .card .interval").allInnerTexts();
	same(
		"overview: misses and rates of levels",
		cards.map((t) => t.trim()),
		report.totals.intervals.levels.flatMap((l, i) => [
			"95%: " + counts({ low: l.misses.low, high: l.misses.high }),
			"95%: " + shares(report.run.sampling.miss_rates[i], 2),
		]),
	);
	for (const part of ["overview", "matrix", "code", "data", "evictions", "source", "timeline", "threads"]) {
		await page.goto(pageFile + "#" + part);
		const note = await page.locator("#part-" + part + " .sampling-note").textContent();
		check(part + ": labelled as sampled", note.startsWith("Sampled: "), note);
		const summary = await page.locator("#part-" + part + " .sampling-note summary").innerText();
		if (["overview", "matrix", "code", "data", "timeline", "threads"].includes(part))
			check(part + ": figures without intervals are named", /no intervals|none/.test(summary), summary);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		check(part + ": fits a phone", wide <= 0, wide);
	}
	await page.goto(pageFile + "#source");
	const begins = await page.evaluate(() =>
		[...document.querySelectorAll("#part-source tr.hot .source")].map((c) => {
			const words = document.createRange(),
				text = c.firstChild;
			words.setStart(text, text.data.match(/^\s*/)[0].length);
			words.setEnd(text, text.data.length);
			return Math.round(words.getBoundingClientRect().left);
		}),
	);
	check("source: its words are seen on a phone", begins.length > 0 && begins.every((x) => x < 340), begins);
	await page.goto(pageFile + "#timeline");
	const drawn = await page.evaluate(() => ({
		legend: document.querySelector("#part-timeline section:not(#over-time) .legend").innerText,
		ticks: Math.min(...[...document.querySelectorAll("#part-timeline .tick")].map((t) => t.getBoundingClientRect().height)),
		right: Math.max(...[...document.querySelectorAll("#part-timeline .tick")].map((t) => t.getBoundingClientRect().right)),
	}));
	check("timeline: misses are of windows only", drawn.legend.includes(" in windows") && !drawn.legend.includes(" in all"), drawn);
	check("timeline: its words can be read on a phone", drawn.ticks >= 11 && drawn.right <= 390, drawn);
	const level = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).evictions.occupancy[0]),
		all = level.occupants.reduce((sums, o) => (o.came ? sums.map((s, i) => s + o.came[i]) : sums), level.came_low.map(() => 0));
	check(
		"timeline: all data's misses lie within",
		all.every((n, i) => level.came_low[i] === null || (level.came_low[i] <= n && n <= level.came_high[i])) && level.came_low.some((v) => v !== null),
		level,
	);
	const band = await page.evaluate(() => {
		const path = document.querySelector("#part-timeline .chart .fill-band"),
			box = path.getBoundingClientRect(),
			chart = path.ownerSVGElement.getBoundingClientRect();
		return { slices: path.getAttribute("d").split("M").length - 1, inside: box.top >= chart.top - 1 && box.bottom <= chart.bottom, high: box.height };
	});
	check("timeline: and are drawn so", band.slices === level.came_low.filter((v) => v !== null).length && band.inside && band.high > 10, band);
	await page.locator("#part-timeline details.slices summary").first().click();
	const cell = await page.evaluate(() => {
		const row = document.querySelector("#part-timeline details.slices tbody tr:not(.space)");
		return [row.cells[1].innerText, row.cells[1].dataset.between];
	});
	const steps = Math.min(level.slice_steps, level.steps),
		rate = (n) => ((1000 * n) / steps).toFixed(1);
	same("timeline: and in figures", cell, [rate(all[0]), rate(level.came_low[0]) + "\u2013" + rate(level.came_high[0])]);
	await page.goto(pageFile + "#bin/0/0");
	const without = await page.locator("#detail > p:has-text('Sampled: ')").innerText();
	check("details: figures without intervals are named", without.includes("per read and per write") && !without.includes("stall time"), without);
	const aside = await page.evaluate(() => {
		const tables = [...document.querySelectorAll("#detail .replacers table")];
		return tables.map((t) => t.getBoundingClientRect().right);
	});
	check("details: evictors fit a phone", aside.length > 0 && aside.every((right) => right <= 390), aside);
}

// Evictors are named if a window contains the eviction.
async function pushers(open) {
	const { page } = await open(pageFile + "#data");
	await page.waitForSelector("#part-data tbody tr:not(.space)");
	const shown = await page.evaluate(() => {
		const at = [...document.querySelectorAll("#part-data thead th")].findIndex((th) => th.innerText.startsWith("Evicted by"));
		// Names that are cut have the whole one as their title.
		const whole = (cell) => (cell.querySelector("bdi[title]") || { title: cell.innerText }).title;
		return [...document.querySelectorAll("#part-data tbody tr:not(.space)")].map((tr) => [whole(tr.cells[0]), whole(tr.cells[at])]);
	});
	const first = report.run.machine_levels[0].name,
		seen = (name) =>
			report.bins.filter((b) => b.data === name).flatMap((b) => b.replaced_by.filter((r) => r.level === first).map((r) => r.data));
	const wrong = shown.filter(([name, by]) => {
		const by_them = seen(name),
			named = by_them.filter((d) => d !== "<not seen>");
		return by_them.length > 0 && !(named.length > 0 ? named : by_them).includes(by);
	});
	same("data: who pushes it out is named where it was seen", wrong, []);
	check("data: some of it was evicted between windows", shown.some(([name]) => seen(name).includes("<not seen>")), shown);
}

// Every count of references includes the range of the number of all references.
async function estimates(open) {
	const { page } = await open(estimateFile);
	const words = await page.locator("#part-overview section p:has-text('references')").first().innerText();
	check("estimate: all references", words.includes("95%: " + counts({ low: 0.5, high: 2 }, all)), words);
	await page.goto(estimateFile + "#code");
	const code = report.code[0],
		got = await column(page, "code", "References"),
		share = code.intervals.reference_share,
		wanted = counts({ low: 0.5 * Number(share.low.toPrecision(6)), high: 2 * Number(share.high.toPrecision(6)) }, all);
	same("estimate: references of code", got[code.name], wanted);
	const note = await page.locator("#part-code .sampling-note").textContent();
	check("estimate: and the note says so", note.includes("include the range of the number of all references"), note);
}

// Stall time of the whole run, for each of its steps: windows have a part of these.
async function overTime(open) {
	const { page } = await open(pageFile + "#timeline");
	await page.waitForSelector("#over-time .chart");
	const seen = await page.locator("#over-time .chart").evaluate((chart) => {
		const words = chart.parentElement.querySelector(".crosshair-words"),
			found = new Set();
		for (let i = 0; i < 5000; i++) {
			chart.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
			if (found.has(words.textContent)) break;
			found.add(words.textContent);
		}
		return [...found];
	});
	const number = (text) => parseFloat(text) * ({ K: 1e3, M: 1e6, G: 1e9 }[text.slice(-1)] || 1);
	let cycles = 0,
		steps = 0;
	for (const text of seen) {
		const [, from, to, values] = /^steps (\S+) to (\S+): (.*)$/.exec(text),
			each = values === "none" ? 0 : values.split(", ").reduce((sum, v) => sum + Number(v.slice(v.lastIndexOf(" "))), 0);
		cycles += (each / 1000) * (number(to) - number(from));
		steps += number(to) - number(from);
	}
	const { total, references } = report.run.sampling,
		wanted = report.totals.stall_cycles / ((steps * total) / references);
	check("timeline: stall for each step is that of the whole run", Math.abs(cycles / steps / wanted - 1) < 0.15, { each: cycles / steps, wanted });
}

run(async (open) => {
	await estimates(open);
	await overTime(open);
	await lists(open);
	await pushers(open);
	await matrix(open);
	kept.digits = 17;
	await evictions(open);
	kept.digits = 6;
	await source(open);
	await details(open);
	await others(open);
});

// tests/browser/causes.js PAGE REPORT.json ADVISE.json - causes in the matrix: figures by capacity and conflict, the main cause of
// each cell; cells in the colors of their data; system libraries that are hidden; findings, or why there are none.
"use strict";
const { run, check, same, readJson, count } = require("./lib.js");
const [pageFile, reportFile, adviseFile] = process.argv.slice(2);
const facts = require("./facts.js");
const report = readJson(reportFile),
	{ statement, findings: some } = readJson(adviseFile),
	findings = some.length > 0 ? some[0].title : statement,
	levels = report.run.machine_levels;

async function figures(page) {
	await page.getByRole("button", { name: "Absolute", exact: true }).click();
	for (const [l, level] of levels.entries())
		for (const cause of ["capacity", "conflict"]) {
			await page.selectOption("#metric", level.name + "_" + cause);
			const total = await page.locator("#part-matrix tr.total td").first().innerText();
			same(level.name + " " + cause + " misses", total, count(report.totals.levels[l].replacement[cause]));
		}
	await page.selectOption("#metric", "stall");
	await page.getByRole("button", { name: "Absolute", exact: true }).click();
}

// Cycles of a bin by cause, and the cause with most of them.
function mainCause(bin) {
	const sums = {},
		add = (cause, n) => (sums[cause] = (sums[cause] || 0) + n);
	levels.forEach((level, l) => {
		const next = levels[l + 1] ? levels[l + 1].latency : report.run.memory_latency,
			latency = next - level.latency,
			{ causes, replacement } = bin.levels[l],
			known = replacement ? replacement.capacity + replacement.conflict : 0;
		add("first", latency * causes.first);
		add("replacement", latency * (replacement ? replacement.capacity : 0));
		add("conflict", latency * (replacement ? replacement.conflict : 0));
		add("ambiguous", latency * Math.max(0, causes.replacement - known));
	});
	const [cause, cycles] = Object.entries(sums).sort((a, b) => b[1] - a[1])[0];
	return cycles > 0 ? cause : undefined;
}

async function colors(page) {
	same("without colors at first", await page.locator('#part-matrix [class*=" by-"]').count(), 0);
	await page.getByRole("button", { name: "Causes", exact: true }).click();
	const cells = await page.locator("#part-matrix [role=gridcell]:not(.none)").evaluateAll((list) => list.map((c) => [c.getAttribute("aria-label").split(":")[0], (/ by-(\w+)/.exec(c.className) || [])[1]]));
	const wanted = cells.map(([words]) => {
		const bin = report.bins.find((b) => words === b.code + " with " + b.data);
		return [words, bin ? mainCause(bin) : null];
	});
	check("cells are there", cells.length > 3, cells);
	same("each has its main cause", cells, wanted);
	check("the legend names them", (await page.locator("#part-matrix .legend").innerText()).includes("capacity or conflict"));
	check("the address has it", (await page.evaluate(() => location.hash)).includes("causes=1"));
	const shadow = await page.locator("#part-matrix .by-replacement, #part-matrix .by-conflict, #part-matrix .by-first").first().evaluate((c) => getComputedStyle(c).boxShadow);
	check("as a line of color", shadow.includes("inset"), shadow);
}

// What each cell looks like: its data, the entry of the legend with its color, its share and how much of the color it has.
function cellsByData() {
	const color = (element, key) => getComputedStyle(element)[key],
		probe = document.body.appendChild(document.createElement("i")),
		entries = [...document.querySelectorAll("#part-matrix .legend li")].filter((li) => li.checkVisibility()),
		of = (cell) => {
			probe.style.color = cell.style.getPropertyValue("--of");
			const entry = entries.find((li) => color(li.querySelector("rect"), "fill") === color(probe, "color"));
			return entry ? entry.textContent.trim() : null;
		};
	const cells = [...document.querySelectorAll("#part-matrix .tint[role=gridcell]")].map((cell) => ({
		data: cell.getAttribute("aria-label").split(" with ")[1].split(":")[0],
		entry: of(cell),
		share: Number(cell.innerText),
		heat: Number(cell.style.getPropertyValue("--heat")),
		back: color(cell, "backgroundColor"),
	}));
	probe.remove();
	return cells;
}

async function byData(open) {
	for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { colorScheme: "light", viewport: { width: 390, height: 844 } }]) {
		const { page } = await open(pageFile + "#matrix", options),
			at = options.colorScheme + (options.viewport ? ", phone: " : ": ");
		await page.waitForSelector("[role=gridcell]");
		await page.getByRole("button", { name: "Data colors", exact: true }).focus();
		await page.keyboard.press("Enter");
		const cells = await page.evaluate(cellsByData),
			known = [...new Set(cells.map((c) => c.data))],
			series = known.filter((data) => cells.some((c) => c.entry === data));
		check(at + "cells have the colors of their data, which the legend names", series.length >= 3 && cells.every((c) => [c.data, "other data"].includes(c.entry)), cells);
		const backs = (data) => [...new Set(cells.filter((c) => c.data === data).map((c) => c.heat + " " + c.back))];
		const strongest = new Map(cells.map((c) => [c.heat, c.back]));
		check(at + "shares have their lightness", strongest.size >= 3 && cells.every((a) => cells.every((b) => a.data !== b.data || a.share <= b.share || a.heat >= b.heat)), cells);
		check(at + "of one data each has one", series.every((data) => backs(data).length === new Set(cells.filter((c) => c.data === data).map((c) => c.heat)).size), cells);
		const { texts, ...rest } = await page.evaluate(facts);
		same(at + "figures can be read", rest, { wider: 0, overlapping: [], faint: [], small: [], unnamed: [] });
		check(at + "the address has it", (await page.evaluate(() => location.hash)).includes("colors=data"));
		if (process.env.PICTURES) await page.screenshot({ path: process.env.PICTURES + "/by-data-" + at.replace(/\W+/g, "-") + ".png" });
		await page.goto((await page.evaluate(() => location.href)).replace("#matrix", "#flame").split("?")[0]);
		await page.waitForSelector(".flame .box");
		const flame = await page.locator("#part-flame .legend li").allInnerTexts();
		check(at + "as in the flame graph", series.every((data) => flame.map((t) => t.trim()).includes(data)), flame);
	}
	const again = await open(pageFile + "#matrix?colors=data");
	await again.page.waitForSelector("[role=gridcell]");
	check("an address shows colors of data", (await again.page.locator("#part-matrix .tint[role=gridcell]").count()) > 0);
	await again.page.getByRole("button", { name: "Data colors", exact: true }).click();
	same("and they are left", [await again.page.locator("#part-matrix .tint").count(), await again.page.evaluate(() => location.hash)], [0, "#matrix"]);
}

async function system(page) {
	await page.getByRole("button", { name: "Show all", exact: true }).click();
	const names = async () => ({
		code: (await page.locator("#part-matrix tbody th a").evaluateAll((list) => list.map((a) => a.title))).filter(Boolean),
		data: await page.locator("#part-matrix thead th.data a").evaluateAll((list) => list.map((a) => a.title)),
	});
	const before = await names();
	check("all has the libraries", before.data.some((d) => /\/(libc|ld-)/.test(d)), before.data);
	await page.getByRole("button", { name: "Hide system", exact: true }).click();
	await page.fill('#part-matrix input[placeholder="Data"]', "Matrix.Y");
	const [frame, table] = await page.evaluate(() => [".matrix-scroll", "#part-matrix .matrix"].map((s) => document.querySelector(s).getBoundingClientRect().width));
	check("the frame of a small matrix is as wide as that", table < 600 && frame - table < 20, { frame, table });
	await page.fill('#part-matrix input[placeholder="Data"]', "");
	const after = await names();
	check("hidden are their variables, sections and files,", after.data.length > 0 && !after.data.some((d) => /\/(libc|ld-)/.test(d)), after.data);
	const modules = new Map(report.code.map((c) => [c.name, c.module]));
	check("and functions", after.code.length > 0 && after.code.every((c) => !/^\/(usr\/)?lib/.test(modules.get(c) || "")), after.code);
}

run(async (open) => {
	const { page } = await open(pageFile + "#matrix");
	await page.waitForSelector("[role=gridcell]");
	await figures(page);
	await colors(page);
	await system(page);
	await byData(open);
	const first = await open(pageFile);
	check("the overview has a finding, or says why there is none", (await first.page.locator("#findings").innerText()).includes(findings), await first.page.locator("#findings").innerText());
	const again = await open(pageFile + "#matrix?causes=1");
	await again.page.waitForSelector("[role=gridcell]");
	check("an address shows causes", (await again.page.locator('#part-matrix [class*=" by-"]').count()) > 0);
});

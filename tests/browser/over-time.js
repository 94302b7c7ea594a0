// tests/browser/over-time.js PAGE: stall over the run, and a range of time that other parts show.
"use strict";
const { run, check, same, until, fragmentOf, turnTo, pageData } = require("./lib.js");
const page = process.argv[2];
const data = pageData(page);

const rowsOf = (table) => data.tables[table].rows;
const column = (table, row, name) => row[data.tables[table].columns.indexOf(name)] || 0;

async function drag(visit, from, to) {
	await visit.page.evaluate(() => scrollTo(0, 0));
	const box = await visit.page.locator("#over-time .chart").boundingBox(),
		view = (await visit.page.locator("#over-time .chart").getAttribute("viewBox")).split(" ").map(Number),
		x = (share) => box.x + ((share * (view[2] + view[0] - 10) - view[0]) / view[2]) * box.width;
	await visit.page.mouse.move(x(from), box.y + 60);
	await visit.page.mouse.down();
	await visit.page.mouse.move(x((from + to) / 2), box.y + 60);
	await visit.page.mouse.move(x(to), box.y + 60);
	await visit.page.mouse.up();
}

async function chart(visit) {
	await visit.page.waitForSelector("#over-time .chart");
	same("a slice of the run has a place", rowsOf("slices").length, 8);
	const lanes = await visit.page.locator("#over-time .lane-text").allTextContents();
	check("functions have lanes", lanes.some((l) => l.startsWith("BlkMultiply")) && lanes.some((l) => l.startsWith("main")), lanes);
	check("its legend names data", (await visit.text("#over-time .legend")).includes("Matrix.Y"));
	await visit.page.locator("#over-time-by").selectOption("code");
	check("or functions", (await visit.text("#over-time .legend")).includes("BlkMultiply"));
	await visit.page.locator("#over-time-by").selectOption("data");
}

// Misses of a level have as many places as there are slices.
async function misses(visit) {
	const picture = visit.page.locator('#part-timeline .chart[aria-label^="Misses of L1 "]').first();
	await picture.focus();
	await visit.page.keyboard.press("ArrowRight");
	const sum = rowsOf("slice_sums")
			.filter((r) => column("slice_sums", r, "slice") === 0)
			.reduce((s, r) => s + column("slice_sums", r, "levels.0.misses"), 0),
		steps = column("slices", rowsOf("slices")[0], "steps"),
		words = await picture.locator("xpath=preceding-sibling::p[1]").innerText();
	check("a level's misses are shown by slice", words.includes("all data " + ((1000 * sum) / steps).toFixed(1)) && words.startsWith("steps 0 to 5.00M: "), words);
	check("with their number", (await picture.locator("text", { hasText: "in 8 slices" }).count()) === 1);
}

const short = (n) => (n >= 10000 ? (n / 1000).toFixed(1) + "K" : String(n));

// Of a column, in a slice.
function sumIn(table, name, slice, also = () => true) {
	return rowsOf(table)
		.filter((r) => column(table, r, "slice") === slice && also(r))
		.reduce((sum, r) => sum + column(table, r, name), 0);
}

// The first slice has first references only, the third mostly others: by function, and as figures of the matrix.
async function causes(visit, head) {
	check("lists have causes", head.filter((t) => t.includes("first")).length === 2 && head.filter((t) => t.includes("replaced")).length === 2, head);
	const row = visit.page.locator("#part-code tbody tr", { hasText: "main" }).first(),
		cells = await row.locator("td, th").allInnerTexts(),
		at = head.findIndex((t) => t.includes("first")),
		wanted = short(sumIn("slice_bins", "levels.0.causes.first", 0));
	check("which are those of the slices", cells[at] === wanted && cells[at + 1] === "0" && cells[at - 1] === wanted, { cells, wanted });
	await turnTo(visit.page, "matrix");
	const metrics = await visit.page.locator("#metric option").evaluateAll((list) => list.map((o) => o.value));
	check("the matrix has them, too", metrics.includes("L1_first") && metrics.includes("L2_replacement") && !metrics.includes("references"), metrics);
}

// Lines of source: those that the first slice has.
async function lines(visit) {
	await visit.page.waitForSelector("#lines-in-range");
	for (const fold of await visit.page.locator('#part-source details[id^="fold-"] > summary').all()) await fold.click();
	const found = await visit.page.locator("#part-source tr.hot").evaluateAll((list) =>
		list.map((tr) => ({ id: tr.id, share: tr.cells[0].innerText, misses: tr.querySelector(".column-0").title.replace(/,/g, "") })),
	);
	const files = data.lines.files.map((f) => f.file),
		wanted = found.map(({ id }) => {
			const [, file, line] = id.split("-").map(Number);
			return String(sumIn("slice_lines", "levels.0.misses", 0, (r) => data.tables.texts[column("slice_lines", r, "file")] === files[file] && column("slice_lines", r, "line") === line));
		});
	same("lines of source have the misses of the range", found.map((f) => f.misses), wanted);
	check("some, and not others", wanted.some((n) => n !== "0") && wanted.some((n) => n === "0") && found.every((f, i) => (f.share !== "") === (wanted[i] !== "0")), found);
}

// The bar: computing by steps, waiting by the misses; the heat map of the range's pairs.
async function overview(visit) {
	const parts = await visit.page.locator("#time-in-range .bar title").allTextContents(),
		slices = rowsOf("slices"),
		steps = column("slices", slices[0], "steps") / slices.reduce((s, r) => s + column("slices", r, "steps"), 0),
		computing = "computing: " + ((data.report.totals.compute_cycles * steps) / 1e6).toFixed(2) + "M cycles";
	check("the overview's bar is of the range", parts[0].startsWith(computing) && parts.length === 2, { parts, computing });
	same("and not of the whole run", await visit.page.locator("#whole-time").count(), 0);
	const rows = await visit.page.locator("#heat-map tbody th").allInnerTexts();
	check("likewise its heat map", rows.includes("main") && !rows.includes("BlkMultiply"), rows);
	check("and what is not known is said", (await visit.text("#part-overview .whole-run")).includes("of the whole run"));
}

async function ranged(visit) {
	await drag(visit, 0.02, 0.11);
	await until(visit.page, () => !document.getElementById("range").hidden);
	check("a part of the run is marked", /^Steps 0 to 5\.00M \(12\.5% of the run, /.test(await visit.text("#range")), await visit.text("#range"));
	const fragment = await fragmentOf(visit.page);
	check("and in the address", /\?from=0|\?to=5000000|to=5000000/.test(fragment), fragment);
	check("of all parts", (await visit.page.locator('#nav a[data-part="matrix"]').getAttribute("href")).startsWith("#matrix?from=0&to=5000000"));
	await turnTo(visit.page, "matrix");
	await visit.page.selectOption("#metric", "L1_misses");
	const shown = await visit.page.locator("#part-matrix tbody th").allInnerTexts();
	check("the matrix has the functions of this time", shown.some((t) => t.startsWith("main")) && !shown.some((t) => t.startsWith("BlkMultiply")), shown);
	await visit.page.getByRole("button", { name: "Absolute", exact: true }).click();
	const misses = rowsOf("slice_sums")
			.filter((r) => column("slice_sums", r, "slice") === 0)
			.reduce((s, r) => s + column("slice_sums", r, "levels.0.misses"), 0),
		total = await visit.page.evaluate(() => document.querySelector("#part-matrix thead tr:last-child, #part-matrix .total").innerText);
	check("with the misses of this time", total.includes(misses >= 10000 ? (misses / 1000).toFixed(1) + "K" : String(misses)), { total, misses });
	await turnTo(visit.page, "code");
	const head = await visit.page.locator("#part-code thead th").allInnerTexts();
	check("lists have no figures that slices have not", !head.some((t) => /References|Compute/.test(t)), head);
	await causes(visit, head);
	await turnTo(visit.page, "evictions");
	check("other parts say that they show the whole run", (await visit.text("#part-evictions")).includes("of the whole run"));
	const brought = await visit.page.locator("#part-evictions .whole-run").evaluate((note) => {
		const before = Array.from(note.parentElement.children);
		return before.slice(0, before.indexOf(note)).map((e) => e.innerText).join("\n");
	});
	check("after what the range has: data that brought lines in", brought.includes("Data that brought lines in") && brought.includes("Matrix"), brought);
	check("and where", /Where lines came in[^]*matmul\.c:44/.test(brought), brought);
	await turnTo(visit.page, "source");
	await lines(visit);
	await turnTo(visit.page, "overview");
	check("pairs that waited in it", (await visit.text("#part-overview")).includes("Waiting in this range"));
	await overview(visit);
	const levels = await visit.text("#levels-in-range");
	check("levels have the causes of its misses", levels.includes("first reference: " + short(sumIn("slice_sums", "levels.0.misses", 0)) + " (100.0%)"), levels);
	await turnTo(visit.page, "flame");
	check("the flame graph has the range, too", (await visit.page.locator(".flame .box").allTextContents()).every((t) => !t.includes("BlkMultiply")));
	await turnTo(visit.page, "threads");
	const threads = await visit.text("#part-threads");
	check("functions of threads, too, and what is not known of it", threads.includes("Functions in this range") && threads.includes("Latency by thread is not stored by time") && threads.includes("Computing, and waiting for others, are not stored by time"), threads.slice(0, 600));
	await visit.page.evaluate(() => (location.hash = document.querySelector("#heat-map td a").getAttribute("href")));
	await visit.page.waitForSelector("#detail .whole-run");
	check("details have their figures of the range", /In the range of time: [0-9.]+% of its stall time, L1 misses /.test(await visit.text("#detail")), (await visit.text("#detail")).slice(0, 300));
	await visit.page.evaluate(() => (location.hash = "code/main"));
	await visit.page.waitForSelector("#detail .in-range .causes");
	check("with causes,", (await visit.text("#detail .in-range")).includes("first reference: "), await visit.text("#detail .in-range"));
	await turnTo(visit.page, "evictions");
	await visit.page.getByRole("button", { name: "Whole run" }).click();
	same("until it is the whole run again", await visit.page.locator("#part-evictions .whole-run").count(), 0);
}

async function keys(visit) {
	await turnTo(visit.page, "timeline");
	await visit.page.locator("#over-time .chart").focus();
	for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Enter"]) await visit.page.keyboard.press(key);
	check("keys mark a part, too", (await visit.text("#range")).startsWith("Steps 5.00M to 20.0M"), await visit.text("#range"));
	await turnTo(visit.page, "matrix");
	same("what was chosen in the matrix stays in it", await visit.page.getByRole("button", { name: "Absolute", exact: true }).getAttribute("aria-pressed"), "true");
}

async function addressed(open) {
	const visit = await open(page + "#timeline?from=10000000&to=20000000");
	await until(visit.page, () => document.getElementById("range") && !document.getElementById("range").hidden);
	check("an address has a range", (await visit.text("#range")).startsWith("Steps 10.0M to 20.0M (25.0% of the run"), await visit.text("#range"));
	await visit.page.goto(page + "#matrix?from=0&to=10000000");
	await until(visit.page, () => document.getElementById("range").textContent.startsWith("Steps 0 to 10.0M"));
	check("also that of another part, and another range", await visit.page.locator("#part-matrix").isVisible());
	const phone = await open(page + "#timeline", { viewport: { width: 390, height: 844 } });
	await phone.page.waitForSelector("#over-time .chart");
	const right = await phone.page.evaluate(() => Math.max(...[...document.querySelectorAll("#over-time .tick")].map((t) => t.getBoundingClientRect().right)));
	check("all words are in sight on a phone", right <= 390, right);
}

run(async (open) => {
	const visit = await open(page + "#timeline");
	await chart(visit);
	await misses(visit);
	await ranged(visit);
	await keys(visit);
	await addressed(open);
});

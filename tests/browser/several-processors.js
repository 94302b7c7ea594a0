// tests/browser/several-processors.js PAGE SHARING.json REPORT.json ADVISE.json DATA - a run with several processors: what it waits for, who uses
// the bytes of a shared line, and what is not recorded; findings and sharing as Markdown.
"use strict";
const { run, check, same, readJson, pageData, turnTo } = require("./lib.js");
const facts = require("./facts.js");
const [pageFile, sharingFile, reportFile, adviseFile, data] = process.argv.slice(2);
const sharing = readJson(sharingFile),
	report = readJson(reportFile),
	{ findings } = readJson(adviseFile);

// Stall by what answered: levels and memory by their misses, the rest by other caches.
async function overview(open) {
	const { page } = await open(pageFile),
		parts = await page.locator("#whole-time .bar title").allTextContents(),
		what = parts.map((t) => t.split(":")[0]);
	same("the bar has what answered", what, ["computing", "waiting for L2", "waiting for memory", "waiting for caches of other processors"]);
	const [first, last] = report.totals.levels,
		misses = (l) => l.misses.read + l.misses.write,
		levels = report.run.machine_levels,
		known = (misses(first) - first.peer - misses(last)) * levels[1].latency + (misses(last) - last.peer) * report.run.memory_latency,
		share = (n) => (Math.round((1000 * n) / (report.totals.compute_cycles + report.totals.stall_cycles)) / 10).toFixed(1) + "%";
	check("other caches have the rest of the stall time", parts[3].endsWith("(" + share(report.totals.stall_cycles - known) + ")"), { parts, known });
	const colors = await page.locator("#whole-time .bar rect").evaluateAll((list) => list.map((r) => getComputedStyle(r).fill));
	same("each in a color of its own", new Set(colors).size, colors.length);
}

// Code that uses a line is a link, as elsewhere.
async function codeOfLines(open) {
	const { page } = await open(pageFile + "#sharing");
	await page.locator("#part-sharing .shared summary").first().click();
	const links = await page.locator('#part-sharing .shared a[href^="#code/"]').allInnerTexts(),
		{ accesses } = sharing.lines[0];
	check("code that uses a line leads to its details", accesses.every((a) => links.includes(a.code)), { links, accesses });
}

// Boxes of a picture of a line: [processors, from, bytes, read or write].
function boxes(section) {
	return Array.from(section.querySelectorAll(".memory-line rect:not(.frame)"), (r) => ({
		of: r.getAttribute("class"),
		byte: Number(r.getAttribute("x")) / 10,
		row: Number(r.getAttribute("y")) < 12 ? "read" : "write",
		words: r.querySelector("title").textContent,
	}));
}

function wantedBoxes(line) {
	const all = [...new Set(line.accesses.flatMap((a) => a.processors))].sort((a, b) => a - b),
		rows = { read: ["read"], write: ["write"], modify: ["read", "write"] };
	return line.accesses.flatMap((a) => rows[a.access].flatMap((row) => a.processors.map((p) => [row, a.offset, "fill-series-" + all.indexOf(p)].join(" ")))).sort();
}

async function lines(open, viewport) {
	const { page } = await open(pageFile + "#data/" + encodeURIComponent(data), viewport && { viewport });
	await page.waitForSelector("#shared-lines");
	const line = sharing.lines.find((l) => l.data === data),
		drawn = await page.locator("#shared-lines").evaluate(boxes);
	same("details have the bytes of a shared line by processor", drawn.slice(0, wantedBoxes(line).length).map((b) => [b.row, b.byte, b.of].join(" ")).sort(), wantedBoxes(line));
	check("and name them", line.accesses.every((a) => drawn.some((b) => b.words.includes(" at byte " + a.offset + ", processors " + a.processors[0]))), drawn);
	const legend = await page.locator("#shared-lines .legend").first().locator("li").allInnerTexts();
	check("the legend has the processors", legend.length >= 2 && legend.every((t) => /^processor \d/.test(t.trim())), legend);
	check("members that are not known say why", /Not known: .*memspy run --watch|an element has/i.test(await page.locator("#layout").innerText()), await page.locator("#layout").innerText());
	check("nothing is too wide", (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
}

// The second half of the run, in which processors take a line from each other.
async function ranges(open) {
	const all = pageData(pageFile),
		of = (table) => {
			const { columns, rows } = all.tables[table];
			return rows.map((r) => Object.fromEntries(columns.map((c, i) => [c, r[i] || 0])));
		},
		slices = of("slices"),
		ends = slices.map((_, i) => slices.slice(0, i + 1).reduce((s, r) => s + r.steps, 0)),
		first = Math.floor(slices.length / 2),
		within = (table) => of(table).filter((r) => r.slice >= first),
		figure = "levels.0.causes.invalidation",
		sum = (rows) => rows.reduce((s, r) => s + r[figure], 0),
		range = "?from=" + ends[first - 1] + "&to=" + ends[slices.length - 1];
	const { page } = await open(pageFile + "#sharing" + range);
	await page.waitForSelector("#part-sharing .whole-run");
	const table = (caption) => page.locator('#part-sharing table:has(caption:text-is("' + caption + '")) tbody tr').evaluateAll((list) => list.filter((tr) => tr.cells.length > 1).map((tr) => Array.from(tr.cells, (c) => c.innerText)));
	const row = all.tables.data.rows.findIndex((r) => all.tables.texts[r[all.tables.data.columns.indexOf("name")]] === data),
		[shared] = await table("Data shared in this range");
	same("a range of time has the invalidation misses of data", shared.slice(0, 2), [data, String(sum(within("slice_bins").filter((r) => r.data === row)))]);
	const processors = Array.from(new Set(within("slice_sums").filter((r) => r[figure] > 0).map((r) => r.processor))),
		wanted = processors.map((p) => ["processor " + p, String(sum(within("slice_sums").filter((r) => r.processor === p)))]).sort(),
		got = (await table("Processors that missed")).map((r) => [r[0].split(" (")[0], r[1]]).sort();
	same("and of processors", got, wanted);
	check("with the code", (await table("Data in code")).length > 1);
	check("what is not stored by time says so", (await page.locator("#part-sharing .whole-run").innerText()).startsWith("Memory lines, and who wrote them, are not stored by time"));
	await turnTo(page, "threads");
	const threads = await page.locator("#part-threads").innerText();
	check("latency by thread and by processor", threads.includes("Latency of misses by thread in this range") && /processor 1 \(/.test(threads.split("not stored by time")[0]), threads.slice(0, 500));
	await turnTo(page, "overview");
	const parts = await page.locator("#time-in-range .bar title").allTextContents(),
		others = parts.find((t) => t.includes("caches of other processors")) || "";
	check("the bar has what other caches answered", Number((others.match(/([\d.]+)%/) || [])[1]) > 10, parts);
	for (const colorScheme of ["light", "dark"]) {
		const phone = await open(pageFile + "#overview" + range, { viewport: { width: 390, height: 844 }, colorScheme });
		for (const part of ["overview", "flame", "evictions", "sharing", "threads"]) {
			await turnTo(phone.page, part);
			const { texts, ...rest } = await phone.page.evaluate(facts);
			same(part + " of a range on a phone, " + colorScheme, rest, { wider: 0, overlapping: [], faint: [], small: [], unnamed: [] });
		}
		await turnTo(phone.page, "flame");
		const room = await phone.page.locator("#part-flame .tools input").evaluate((e) => {
			const pen = document.createElement("canvas").getContext("2d"),
				style = getComputedStyle(e);
			pen.font = style.fontSize + " " + style.fontFamily;
			return e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - pen.measureText(e.placeholder).width;
		});
		check("what may be searched is not cut", room >= 0, room);
	}
	const none = await open(pageFile + "#sharing?from=0&to=" + ends[0]);
	await none.page.waitForSelector("#part-sharing .whole-run");
	check("a range without any says so", (await none.page.locator("#part-sharing").innerText()).includes("No processor missed in this range because another one had written the line."));
}

// What a button copies.
async function copied(page, button) {
	await page.locator(button).first().click();
	return page.evaluate(() => navigator.clipboard.readText());
}

async function markdown(open) {
	const { page } = await open(pageFile, { permissions: ["clipboard-read", "clipboard-write"] });
	const advice = await copied(page, "#findings .copy");
	check("findings are copied as Markdown", findings.length > 0 && advice.split("### ").length === findings.length + 1, advice);
	for (const f of findings) {
		const at = advice.indexOf("### " + f.title + "\n"),
			text = advice.slice(at).split("\n### ")[0];
		check("each with its gain, evidence and remedy", at >= 0 && text.includes("**" + Math.round(100 * f.gain.predicted) + "% (") && f.evidence.every((e) => text.includes("\n- " + e.figure)) && text.includes(f.remedy) && text.includes(f.wrong_if), text);
		check("and its place", !f.data || text.includes(f.data), text);
	}
	await page.goto(pageFile + "#sharing");
	await page.waitForSelector("#part-sharing .shared");
	const text = await copied(page, "#part-sharing > .tools .copy"),
		[row] = sharing.data;
	check("sharing is copied as Markdown: totals,", text.includes(" misses because another processor had written the line"), text);
	check("data,", text.includes("**Shared data**\n\n| Data | Stall |") && text.includes("\n| " + row.name + " | "), text);
	check("lines of code,", sharing.pairs.every((p) => text.includes("\n| " + p.missed.data + " in " + p.missed.code + " ")), text);
	check("and each line of memory with its accesses", sharing.lines.every((l) => l.address === null || text.includes("**0x" + l.address.toString(16))) && text.split("| Byte | Field | Access |").length === sharing.lines.length + 1, text);
}

// In lists without rows that are links, the names are.
async function names(open) {
	const { page } = await open(pageFile + "#sharing"),
		linked = (selector) => page.locator(selector).evaluateAll((list) => list.map((e) => [e.textContent, e.closest("a") && e.closest("a").hash.split("/")[0]]));
	await page.waitForSelector("#part-sharing");
	const pair = sharing.pairs[0],
		[missed, code] = await linked('[aria-label="Pairs of source lines"] tbody th .name');
	same("names of pairs of lines are links", [missed, code], [[pair.missed.data, "#data"], [pair.missed.code, "#code"]]);
	check("an unknown line is no dash", !(await page.locator('[aria-label="Pairs of source lines"] tbody').innerText()).includes(" -"));
	const text = await page.locator("#part-sharing").innerText();
	check("one is a miss, not misses", !/\b1 misses/.test(text) && / 1 miss, /.test(text), text);
	await page.evaluate(() => (location.hash = "evictions"));
	await page.waitForSelector("#part-evictions .list");
	const kinds = (await linked("#part-evictions .list tbody tr:first-child .name")).map(([, to]) => to);
	same("so are those of evictions", kinds.slice(0, 3), ["#data", "#data", "#code"]);
}

run(async (open) => {
	await codeOfLines(open);
	await ranges(open);
	await markdown(open);
	await overview(open);
	await names(open);
	await lines(open);
	await lines(open, { width: 390, height: 844 });
	const { page } = await open(pageFile + "#timeline");
	check("why there are no cache sets is said", (await page.locator("#part-timeline").innerText()).includes("Misses by cache set are not recorded for several processors."));
});

// tests/browser/several-processors.js PAGE SHARING.json REPORT.json DATA - a run with several processors: what it waits for, who uses
// the bytes of a shared line, and what is not recorded.
"use strict";
const { run, check, same, readJson } = require("./lib.js");
const [pageFile, sharingFile, reportFile, data] = process.argv.slice(2);
const sharing = readJson(sharingFile),
	report = readJson(reportFile);

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

run(async (open) => {
	await overview(open);
	await lines(open);
	await lines(open, { width: 390, height: 844 });
	const { page } = await open(pageFile + "#timeline");
	check("why there are no cache sets is said", (await page.locator("#part-timeline").innerText()).includes("Misses by cache set are not recorded for several processors."));
});

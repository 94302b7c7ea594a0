// tests/browser/sampled-sharing.js PAGE SHARING.json - sharing in the page of a sampled run:
// intervals equal those of memspy sharing --json, and the page says which figures have none.
"use strict";
const { run, check, same, readJson, count } = require("./lib.js");
const [pageFile, sharingFile] = process.argv.slice(2);
const sharing = readJson(sharingFile);

function between(bounds) {
	if (bounds === null || bounds.high === 0) return "";
	const low = count(Math.round(bounds.low)),
		high = count(Math.round(bounds.high));
	return low === high ? low : low + "\u2013" + high;
}

run(async (open) => {
	for (const width of [1280, 390]) {
		const { page } = await open(pageFile + "#sharing", { viewport: { width, height: 844 } });
		const at = width + ": ";
		const lists = await page.evaluate(() =>
			[...document.querySelectorAll("#part-sharing > .list table")].map((table) => {
				const heads = [...table.querySelectorAll("thead th")].map((th) => th.innerText.trim());
				return [...table.querySelectorAll("tbody tr:not(.space)")].map((tr) =>
					Object.fromEntries(heads.map((head, k) => [head, tr.cells[k].dataset.between])),
				);
			}),
		);
		for (const [k, what] of [[0, "data"], [1, "pairs"]]) {
			const wanted = sharing[what].map((e) => ({
				misses: between(e.intervals.misses),
				false: between(e.intervals.false_sharing),
				true: between(e.intervals.true_sharing),
			}));
			const got = lists[k].map((row) => ({ misses: row.Misses, false: row["False sharing"], true: row["True sharing"] }));
			same(at + what, got, wanted);
			check(at + what + ": there are some", got.some((row) => row.misses !== ""), got);
		}
		const words = await page.locator("#part-sharing > p").first().innerText();
		check(at + "in all", words.includes("95%: " + between(sharing.totals.intervals.misses)), words);
		const line = await page.locator("#part-sharing .shared summary").first().innerText();
		check(at + "a line of memory", line.includes("95%: " + between(sharing.lines[0].intervals.misses)), line);
		const note = await page.locator("#part-sharing .sampling-note summary").innerText();
		check(at + "figures without intervals are named", note.includes("Stall cycles") && note.includes("none"), note);
		await page.locator("#part-sharing .shared summary").first().click();
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		check(at + "fits", wide <= 0, wide);
		// Stall time has intervals, whichever cache answered.
		for (const part of ["code", "data"]) {
			await page.goto(pageFile + "#" + part);
			const why = await page.locator("#part-" + part + " .sampling-note summary").innerText();
			check(at + part + ": stall time has intervals", !why.includes("Stall time has none"), why);
		}
		await page.goto(pageFile + "#data/0");
		const details = await page.locator("#detail > p:has-text('Sampled: ')").innerText();
		check(at + "details: likewise", details.includes("Sampled: false and true sharing"), details);
		await page.goto(pageFile + "#threads");
		const threads = await page.locator("#part-threads .sampling-note summary").innerText();
		check(at + "threads: figures without intervals are named", threads.includes("Waiting"), threads);
		const times = await page.evaluate(() => {
			const page = JSON.parse(document.getElementById("data").textContent),
				table = [...document.querySelectorAll("#part-threads .list table")].find((t) => t.caption.innerText === "Threads");
			return {
				wanted: page.threads.threads.filter((t) => t.intervals.compute_cycles !== null).length,
				shown: [...table.querySelectorAll("tbody tr:not(.space)")].filter((tr) => tr.cells[2].dataset.between).length,
			};
		});
		check(at + "threads: computing has intervals", times.shown > 0 && times.shown === times.wanted, times);
	}
});

// tests/browser/hardware-samples.js PAGE... - runs that were sampled on the real machine: prints the overview of the whole
// program, and the headers and first rows of their lists. Figures that were not measured are not shown as zero.
"use strict";
const { run } = require("./lib.js");

// The intervals below the figures of these cells.
function intervals(page, cells) {
	return page.evaluate(
		(selector) =>
			[...document.querySelectorAll(selector)]
				.map((cell) => cell.dataset.between)
				.filter(Boolean)
				.join(", "),
		cells,
	);
}

run(async (open) => {
	for (const file of process.argv.slice(2)) {
		const { page } = await open(file);
		console.log((await page.locator("#whole-time").innerText()).replace(/\n+/g, ": "));
		console.log((await page.locator("#part-overview .lead").innerText()).trim());
		for (const part of ["code", "data"]) {
			await page.goto(file + "#" + part);
			const rows = await page.locator("#part-" + part + " tr").allInnerTexts();
			for (const row of rows.slice(0, 2)) console.log("  " + row.replace(/\s*\t\s*/g, " | ").trim());
			console.log("  95%: " + (await intervals(page, "#part-" + part + " tbody tr:first-child td")));
		}
		await page.goto(file + "#matrix");
		console.log("  matrix, 95%: " + (await intervals(page, "#part-matrix .matrix tbody tr:first-of-type td")));
		await page.goto(file + "#source");
		for (const folded of await page.locator("#part-source details:not(.help) > summary").all()) await folded.click();
		console.log("  source, 95%: " + (await intervals(page, "#part-source tr.hot td")));
		await page.goto(file + "#data/0");
		console.log("  " + (await page.locator("#detail .figures").first().innerText()).replace(/\n+/g, " "));
	}
});

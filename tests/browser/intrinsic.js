// tests/browser/intrinsic.js PAGE SHOW.json... - details of data, and the page's JSON, have the intrinsic misses of show --json;
// details of functions have none.
"use strict";
const { run, check, same, readJson, pageData } = require("./lib.js");
const [pageFile, ...shown] = process.argv.slice(2);
const percent = (part, whole) => (Math.round((part / whole) * 1000) / 10).toFixed(1) + "%";

// Of a data structure in the page's JSON, as show --json has it.
function intrinsicOf(page, data) {
	const { tables, report } = page,
		{ columns, rows } = tables.intrinsic,
		name = tables.data.columns.indexOf("name"),
		row = tables.data.rows.findIndex((r) => tables.texts[r[name] || 0] === data);
	return rows
		.filter((r) => (r[0] || 0) === row)
		.map((r) => {
			const out = { name: report.run.machine_levels[r[1] || 0].name };
			columns.slice(2).forEach((path, i) => {
				const [key, end] = path.split("."),
					value = r[i + 2] || 0;
				if (end === undefined) out[key] = value;
				else (out[key] = out[key] || {})[end] = value;
			});
			return out;
		});
}

async function details(page, wanted) {
	const cells = await page
		.locator("#detail .intrinsic tbody tr")
		.evaluateAll((lines) => lines.map((line) => [...line.cells].map((cell) => cell.textContent.trim())));
	same("levels", cells.map((row) => row[0]), wanted.map((level) => level.name));
	const gains = (level) => ["replacement", "order", "layout"].map((key) => percent(level.avoidable[key], level.misses));
	same("avoidable misses", cells.map((row) => row.slice(3)), wanted.map(gains));
	check("intrinsic misses", cells.every((row) => /^\d/.test(row[1]) && /^\d/.test(row[2])), cells);
	const ranges = await page
		.locator("#detail .intrinsic tbody td[data-between]")
		.evaluateAll((all) => all.map((cell) => cell.dataset.between).filter((text) => text !== ""));
	check("an estimate has its interval", ranges.length > 0 === wanted.some((level) => level.optimal.low < level.optimal.high), ranges);
}

run(async (open) => {
	for (const options of [{}, { colorScheme: "dark", viewport: { width: 390, height: 844 } }]) {
		const { page } = await open(pageFile, options);
		for (const file of shown) {
			const { data, intrinsic } = readJson(file).selected;
			same(file + ": the page's JSON", intrinsicOf(pageData(pageFile), data[0]), intrinsic);
			await page.goto(pageFile + "#data/" + encodeURIComponent(data[0]));
			await page.waitForSelector("#detail .intrinsic");
			await details(page, intrinsic);
			check("it has room", (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
		}
		await page.goto(pageFile + "#code/sum_table");
		await page.waitForSelector("#detail .figures");
		same("functions have none", await page.locator("#detail .intrinsic").count(), 0);
	}
});

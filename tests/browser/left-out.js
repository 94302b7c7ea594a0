// tests/browser/left-out.js PAGE - a page that is too large to have all pairs of code and data says which it has.
"use strict";
const { run, check, same, turnTo, pageData } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

run(async (open) => {
	const { page } = await open(pageFile),
		data = pageData(pageFile),
		{ rows } = data.tables.bins,
		inAll = data.entries.bins.toLocaleString("en-US");
	check("the page has some of the pairs", rows.length > 1000 && rows.length < data.entries.bins, [rows.length, data.entries.bins]);
	await turnTo(page, "matrix");
	const text = await page.locator("#part-matrix .tools").innerText();
	check("the matrix says of how many", text.includes("largest of " + inAll + " pairs"), text);
	await page.evaluate(() => (location.hash = "code/4999"));
	await page.waitForSelector("#detail h2");
	const details = await page.locator("#detail").innerText();
	check("so do details", details.includes("of " + inAll), details.slice(-300));
	const known = new Set(rows.map((row) => (row[0] || 0) + "/" + (row[1] || 0)));
	let code = 4999,
		at = 0;
	while (known.has(code + "/" + at)) at++;
	await page.evaluate((to) => (location.hash = to), "bin/" + code + "/" + at);
	await page.waitForSelector("#detail h2:has-text(' in ')");
	const one = await page.locator("#detail").innerText();
	check("a pair that is not there is not said to make no references", one.includes("This pair is not in this page") && !one.includes("makes no references"), one.slice(0, 300));
});

// tests/browser/printed.js PAGE - a page that is printed before any of its parts was opened has them all, drawn, with what is
// folded, and the layouts of data that are otherwise in details.
"use strict";
const { run, check, same } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

const DRAWN = {
	levels: "#part-overview .card",
	matrix: '#part-matrix [role="gridcell"]',
	treemap: "#part-data .data-map .cell",
	"flame graph": "#part-flame .flame rect",
	"source lines": "#part-source tr.hot",
	functions: "#part-code tbody tr",
	layouts: "#printed-layouts .member",
};

const seen = (page) =>
	page.evaluate(
		(drawn) =>
			Object.fromEntries(
				Object.entries(drawn).map(([what, selector]) => [what, [...document.querySelectorAll(selector)].filter((e) => e.getBoundingClientRect().width > 0).length]),
			),
		DRAWN,
	);

run(async (open) => {
	const { page } = await open(pageFile + "#about"),
		before = await seen(page);
	check("nothing is drawn that was not opened", Object.values(before).every((n) => n === 0), before);
	await page.emulateMedia({ media: "print" });
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	const printed = await seen(page);
	for (const what of Object.keys(DRAWN)) check("printed: " + what, printed[what] > 0, printed);
	same("nothing is folded", await page.locator("details:not(.help):not([open])").count(), 0);
	const layouts = await page.locator("#printed-layouts h3").count();
	check("a few layouts, the same ids once", layouts > 0 && layouts <= 5 && (await page.locator("#layout").count()) === 0, layouts);
	await page.evaluate(() => dispatchEvent(new Event("beforeprint"))); // a second time, as some browsers do
	same("layouts are printed once", await page.locator("#printed-layouts").count(), 1);
	await page.emulateMedia({ media: "screen" });
	await page.evaluate(() => dispatchEvent(new Event("afterprint")));
	same("afterwards the page is as before", [await page.locator("#printed-layouts").count(), await page.locator(".part:visible").count()], [0, 1]);
	check("and folded", (await page.locator("details[open]").count()) === 0);
});

// tests/browser/large.js PAGE - a run with 5000 functions, 5000 data and 100000 pairs: only what is in sight is drawn.
"use strict";
const { run, check, same, until } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

run(async (open) => {
	const { page } = await open(pageFile + "#data");
	const rows = () => page.locator("#part-data tbody tr").count();
	check("few rows are drawn", (await rows()) < 100, await rows());
	same("all are counted", await page.locator("#part-data table").getAttribute("aria-rowcount"), "5001");
	const first = await page.locator("#part-data tbody th").first().innerText();
	await page.evaluate(() => {
		document.querySelector("#part-data .scroll").scrollTop = 1e9;
	});
	await until(page, (name) => document.querySelector("#part-data tbody th").innerText !== name, first);
	check(
		"the last row is there when scrolled to",
		(await page.locator('#part-data tr[aria-rowindex="5001"]').count()) === 1 && (await rows()) < 100,
		await rows(),
	);
	await page.fill('#part-data input[type="search"]', "member4999");
	same("filtered", await page.locator("#part-data tbody th").allInnerTexts(), ["Table15.member4999"]);
	await page.goto(pageFile + "#matrix");
	await page.click('button:has-text("Show all")');
	const cells = () => page.locator('[role="gridcell"]').count();
	check("few cells are drawn", (await cells()) > 50 && (await cells()) < 5000, await cells());
	await page.evaluate(() => {
		const s = document.querySelector(".matrix-scroll");
		s.scrollTop = 60000;
		s.scrollLeft = 150000;
	});
	await until(page, () => Number(document.querySelector('[role="gridcell"]').dataset.at.split(",")[0]) > 1500);
	check("others when scrolled to", (await cells()) > 50 && (await cells()) < 5000, await cells());
	await page.emulateMedia({ media: "print" });
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	same("the first rows on paper", await page.locator("#part-code tbody tr:visible").count(), 51);
	await page.emulateMedia({ media: "screen" });
	await page.evaluate(() => dispatchEvent(new Event("afterprint")));
	await page.goto(pageFile + "#bin/4999/0");
	await page.waitForSelector("#detail h2");
	check("the smallest code opens", (await page.locator("#detail h2").innerText()).includes(" in "));
});

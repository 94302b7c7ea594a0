// tests/browser/live.js ADDRESS PID ROUNDS - a running program (tests/programs/rounds.c): the page shows its data and code,
// which grow; then the program ends, and the page links to its run. ROUNDS is the program's input.
"use strict";
const fs = require("fs");
const { run, check, same, until, addressOf, turnTo } = require("./lib.js");
const [address, pid, rounds] = process.argv.slice(2);

const CELL = '[role=gridcell][aria-label^="walk with char.forward"]';

// Two more rounds, until the page has them.
async function grow(page) {
	const said = () => document.querySelector(".live-note").textContent,
		before = await page.evaluate(said);
	fs.appendFileSync(rounds, "..");
	await until(page, (text) => document.querySelector(".live-note").textContent !== text, before);
}

// Figures that cannot be drawn and a server that has gone are distinguished; the page recovers from both.
async function troubles(visit) {
	const { page } = visit,
		says = (words) => until(page, (w) => document.querySelector(".live-note").textContent.includes(w), words),
		answers = "**/live/*.json";
	const broken = { report: { run: { wall_seconds: 0.5 }, totals: { references: { read: 1, write: 1 } } } };
	await page.route(answers, (route) => route.fulfill({ contentType: "application/json", body: JSON.stringify(broken) }));
	await says("could not be shown");
	check("figures that cannot be drawn are reported as an error", visit.wrong.length > 0);
	await page.unroute(answers);
	await says("The program is running");
	check("the next figures are drawn", await page.locator(CELL).isVisible());
	await page.route(answers, (route) => route.abort());
	await says("does not answer");
	check("a server that has gone is reported", true);
	await page.unroute(answers);
	await says("The program is running");
	check("and when it is back", await page.locator(CELL).isVisible());
	visit.wrong.length = 0;
}

// A range of time, and what is chosen in the flame graph.
async function ranges(page) {
	await turnTo(page, "flame");
	await page.getByRole("button", { name: "Data first" }).click();
	await page.evaluate(() => (location.hash = "timeline?from=0&to=1000"));
	await page.waitForSelector("#range:not([hidden])");
	const range = await page.locator("#range").innerText();
	await grow(page);
	same("a range of time stays", (await page.locator("#range").innerText()).split(" (")[0], range.split(" (")[0]);
	await page.getByRole("button", { name: "Whole run" }).click();
	await turnTo(page, "data");
	await page.selectOption("#map-group", { index: 1 });
	const grouping = await page.inputValue("#map-group");
	await grow(page);
	same("the grouping of sizes stays", await page.inputValue("#map-group"), grouping);
	await turnTo(page, "flame");
	await grow(page);
	same("and what the flame graph shows", await page.getByRole("button", { name: "Data first" }).getAttribute("aria-pressed"), "true");
}

// What is opened and chosen in parts that are drawn anew, also of those that are not shown just then.
async function choices(page) {
	await turnTo(page, "data");
	await page.selectOption("#map-group", "kind");
	await page.getByRole("button", { name: "Stacks and files" }).click();
	await page.locator("#part-data details.help > summary").click();
	await turnTo(page, "timeline");
	await page.waitForSelector("#over-time-by");
	await page.selectOption("#over-time-by", "code");
	await grow(page);
	same("a choice stays", await page.inputValue("#over-time-by"), "code");
	await turnTo(page, "data");
	const chosen = async () => [
		await page.inputValue("#map-group"),
		await page.getByRole("button", { name: "Stacks and files" }).getAttribute("aria-pressed"),
		await page.locator("#part-data details.help").evaluate((d) => d.open),
	];
	same("and those of a part that was not shown", await chosen(), ["kind", "true", true]);
	await grow(page);
	same("once more", await chosen(), ["kind", "true", true]);
}

run(async (open) => {
	const visit = await open(address),
		{ page } = visit;
	await page.click('.live a:has-text("Its data and code so far")');
	await page.waitForSelector("#total-stall");
	same("the list leads to the running program", await addressOf(page), address + "live/" + pid);
	check("it is said to run", (await visit.text(".about-run")).includes("running"));
	const warnings = await page.locator("#part-overview .warning").allTextContents();
	same("no warning about its end", warnings.filter((text) => !text.includes("dynamic loader")), []);

	await page.click('#nav a:has-text("Matrix")');
	await page.waitForSelector("[role=gridcell]");
	const heads = (await page.locator("#part-matrix .matrix thead th.data").allInnerTexts()).join(" ");
	check("data have their names while the program runs", heads.includes("char.forward"), heads);
	const codes = (await page.locator("#part-matrix .matrix tbody th").allInnerTexts()).join(" ");
	check("and code", codes.includes("walk"), codes);

	await troubles(visit);
	// The user's selection is kept when the figures grow.
	await page.selectOption("#metric", "references");
	await page.click('button:has-text("Absolute")');
	const cell = page.locator(CELL);
	await cell.focus();
	const before = await cell.innerText();
	await grow(page);
	await until(page, ([cell, text]) => document.querySelector(cell).innerText !== text, [CELL, before]);
	check("the figures grow in the page", true);
	same("the figure that was chosen stays", await page.inputValue("#metric"), "references");
	same(
		"and the cell",
		await page.evaluate(() => document.activeElement.getAttribute("aria-label").split(":")[0]),
		"walk with char.forward",
	);
	await page.keyboard.press("Enter");
	await page.waitForSelector("#figure-references");
	const title = await visit.text("#detail h2");
	await grow(page);
	same("and its details", await visit.text("#detail h2"), title);
	same("nothing can be renamed yet", await page.locator(".rename").count(), 0);

	await ranges(page);
	await choices(page);
	await page.click('button:has-text("Pause")');
	fs.appendFileSync(rounds, "q");
	await page.click('button:has-text("Pause")');
	await page.waitForSelector('a:has-text("Its run is kept")');
	visit.wrong.length = 0; // the browser itself notes the status 404 of what has ended
	await page.click('a:has-text("Its run is kept")');
	await page.waitForSelector("#total-stall");
	check("the page leads to the run", /\/run\/\d+$/.test(await addressOf(page)), await addressOf(page));
});

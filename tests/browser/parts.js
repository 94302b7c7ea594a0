// tests/browser/parts.js ADDRESS - the served page of a large run fetches what it shows, when it shows it.
"use strict";
const { run, check, same, until } = require("./lib.js");
const [address] = process.argv.slice(2);

const PARTS = ["matrix", "flame", "code", "data", "evictions", "source", "timeline", "threads", "about", "overview"];

// The part is there, with its figures.
async function arrives(page, part) {
	await page.evaluate((to) => (location.hash = to), part);
	await until(
		page,
		(key) => {
			const section = document.getElementById("part-" + key);
			return !section.hidden && section.children.length > 1 && !document.querySelector(".waiting");
		},
		part,
	);
}

async function details(page, hash) {
	await page.evaluate((to) => (location.hash = to), hash);
	await until(page, () => !document.getElementById("detail").hidden && !document.querySelector("#detail .waiting"));
	return page.locator("#detail").innerText();
}

async function search(page, word) {
	await page.keyboard.press("/");
	await page.fill("#search-input", word);
	await until(page, () => document.querySelectorAll("#search-found li").length > 0);
	const found = await page.locator("#search-found li").first().innerText();
	await page.keyboard.press("Escape");
	return found;
}

run(async (open) => {
	const { page } = await open(address + "run/2"),
		asked = [];
	page.on("request", (r) => asked.push(new URL(r.url()).pathname.split("/").slice(2).join("/")));
	check("the overview has its heat map at once", (await page.locator("#heat-map td a").count()) > 0);
	same("and asks for nothing", asked, []);
	for (const part of PARTS) await arrives(page, part);
	check("all parts are shown", true);
	same("each is asked for once", asked.length, new Set(asked).size);
	await arrives(page, "matrix");
	const number = await page.locator("#part-matrix .tools").innerText();
	check("the matrix has all pairs", number.includes("of 5,000 functions") && !number.includes("largest"), number);

	const hot = await details(page, "data/4321");
	check("details of data have the code that uses it", hot.includes("Code that uses it"), hot.slice(0, 200));
	const button = await page.locator("#detail .close").evaluate((e) => e.scrollWidth <= e.clientWidth);
	check("below a long name, the button has room for its word", button);
	const rare = await details(page, "code/4999");
	check("those of the last function, too", rare.includes("Its data"), rare.slice(0, 200));

	// In a new page nothing is there yet.
	const other = await open(address + "run/2#data/4999");
	await until(other.page, () => !document.getElementById("detail").hidden && !document.querySelector("#detail .waiting"));
	const last = await other.page.locator("#detail").innerText();
	check("an address of an entry beyond the first rows opens it", last.includes("Code that uses it"), last.slice(0, 200));
	const third = await open(address + "run/2");
	check("the search finds what the page does not have", (await search(third.page, "member4998")).includes("member4998"));
});

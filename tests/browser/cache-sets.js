// tests/browser/cache-sets.js PAGE SETS.json - misses by cache set and time, as the table set_slice has them, and what evicts.
"use strict";
const { run, check, same, readJson } = require("./lib.js");
const [pageFile, setsFile] = process.argv.slice(2);
const rows = readJson(setsFile), // of the first level: {part, sets, misses}
	first = (part, sets) => (rows.find((r) => r.part === part && r.sets === sets) || { misses: 0 }).misses;

const PICTURE = ".sets-over-time .set-map >> nth=0",
	WORDS = ".sets-over-time .set-words >> nth=0";

// The number of misses that the words below the picture name.
function misses(words) {
	return Number(/: (\d+) misses/.exec(words)[1]);
}

async function keys(page) {
	await page.locator(PICTURE).focus();
	await page.keyboard.press("ArrowRight");
	const words = await page.locator(WORDS).innerText();
	check("the first place is named", /^set 0, steps 0 to .*: \d+ misses/.test(words), words);
	same("with its misses", misses(words), first(0, 0));
	for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
	same("keys go from place to place", misses(await page.locator(WORDS).innerText()), first(2, 1));
	for (let i = 0; i < 100; i++) await page.keyboard.press("ArrowRight");
	const parts = 1 + Math.max(...rows.map((r) => r.part));
	same("up to the last one", misses(await page.locator(WORDS).innerText()), first(parts - 1, 1));
	check("data that evicts is named", /evicted by \(estimated\): Matrix\.\w \d/.test(await page.locator(WORDS).innerText()), await page.locator(WORDS).innerText());
}

async function pointer(page) {
	const box = await page.locator(".sets-over-time .set-map .lane-back").first().boundingBox();
	await page.mouse.move(box.x + 2, box.y + box.height - 2);
	const words = await page.locator(WORDS).innerText();
	check("the pointer leads to the last set of the first time", /^set 63, steps 0 to /.test(words), words);
	same("with its misses", misses(words), first(0, 63));
	const before = await page.locator(".sets-over-time p").last().boundingBox();
	await page.mouse.move(0, 0);
	same("nothing moves", (await page.locator(".sets-over-time p").last().boundingBox()).y, before.y);
}

// What is tapped stays when the finger is lifted.
async function touch(open) {
	const { page } = await open(pageFile + "#timeline", { viewport: { width: 390, height: 844 }, hasTouch: true });
	await page.waitForSelector(".sets-over-time");
	await page.locator(PICTURE).scrollIntoViewIfNeeded();
	const box = await page.locator(".sets-over-time .set-map .lane-back").first().boundingBox();
	await page.touchscreen.tap(box.x + 2, box.y + 2);
	const words = await page.locator(WORDS).innerText();
	check("a tap names a place", /^set 0, steps 0 to /.test(words), words);
}

run(async (open) => {
	await touch(open);
	for (const options of [{}, { colorScheme: "dark", viewport: { width: 390, height: 844 } }]) {
		const { page } = await open(pageFile + "#timeline", options);
		await page.waitForSelector(".sets-over-time");
		same("each level has a picture", await page.locator(".sets-over-time").count(), 2);
		await keys(page);
		await pointer(page);
		check("it has room", (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
		const colors = await page.evaluate(() => new Set([...document.querySelector(".set-map").querySelectorAll("path")].map((p) => getComputedStyle(p).fill)).size);
		check("places differ in color", colors >= 4, colors);
	}
});

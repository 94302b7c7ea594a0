// tests/browser/copied-pictures.js PAGE SHARED DIFF DATA - tables and pictures that are copied as PNG look as they do on the page; where
// the clipboard takes no pictures, they become files. SHARED: a page of several processors; DIFF: a served comparison; DATA:
// a large array of SHARED.
"use strict";
const { run, check, same, becomes } = require("./lib.js");
const [pageFile, shared, diff, data] = process.argv.slice(2);
const ALLOWED = { permissions: ["clipboard-read", "clipboard-write"] };

// Of cells and shapes, how many have their color at their place in the copied picture, and how many cells have a text in it.
// what: elements; each is in one of `pictures`, which are below one another.
async function compare([what, pictures]) {
	const [item] = await navigator.clipboard.read(),
		bitmap = await createImageBitmap(await item.getType("image/png")),
		canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height }),
		pen = canvas.getContext("2d", { willReadFrequently: true }),
		pixel = (x, y) => Array.from(pen.getImageData(Math.round(2 * x), Math.round(2 * y), 1, 1).data),
		result = { all: 0, colored: 0, colors: new Set(), texts: 0, written: 0, width: bitmap.width };
	// What is drawn in the middle of a shape: the last one there.
	const last = (shape) => {
		const svg = shape.ownerSVGElement,
			{ x, y, width, height } = shape.getBBox(),
			middle = new DOMPoint(x + width / 2, y + height / 2);
		return [...svg.querySelectorAll("rect, path")].filter((s) => s.isPointInFill(middle)).pop();
	};
	const own = (cell) => {
		const element = cell.ownerSVGElement ? last(cell) : cell,
			style = getComputedStyle(element);
		pen.globalAlpha = element.ownerSVGElement ? Number(style.fillOpacity) : 1;
		pen.fillStyle = getComputedStyle(document.body).backgroundColor;
		pen.fillRect(0, 0, 1, 1);
		pen.fillStyle = element.ownerSVGElement ? style.fill : style.backgroundColor;
		pen.fillRect(0, 0, 1, 1);
		return pixel(0, 0);
	};
	const list = [...document.querySelectorAll(what)].filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 4),
		wanted = list.map(own);
	pen.globalAlpha = 1;
	pen.drawImage(bitmap, 0, 0);
	let top = 36;
	for (const picture of document.querySelectorAll(pictures)) {
		const from = picture.getBoundingClientRect(),
			svg = picture.tagName === "svg", // in units of its own
			scaleX = svg ? picture.viewBox.baseVal.width / from.width : 1,
			scaleY = svg ? picture.viewBox.baseVal.height / from.height : 1;
		list.forEach((element, i) => {
			if (!picture.contains(element)) return;
			const box = element.getBoundingClientRect(),
				x = 12 + (box.left - from.left) * scaleX,
				y = top + (box.top - from.top) * scaleY,
				near = element.ownerSVGElement ? [(box.width * scaleX) / 2, (box.height * scaleY) / 2] : [3, 4],
				got = pixel(x + near[0], y + near[1]),
				good = got.every((v, k) => Math.abs(v - wanted[i][k]) <= 3);
			result.all++;
			if (good) result.colored++;
			result.colors.add(String(wanted[i]));
			if (element.ownerSVGElement || element.textContent.trim() === "") return;
			result.texts++;
			const pixels = pen.getImageData(2 * x + 4, 2 * y + 8, 2 * box.width - 8, 2 * box.height - 20).data;
			for (let at = 0; at < pixels.length; at += 4)
				if (Math.abs(pixels[at] - got[0]) + Math.abs(pixels[at + 1] - got[1]) + Math.abs(pixels[at + 2] - got[2]) > 200) return result.written++;
		});
		top += (svg ? picture.viewBox.baseVal.height : from.height) + 12;
	}
	return Object.assign(result, { colors: result.colors.size });
}

async function copied(page, title, button, what, pictures, colors) {
	await page.evaluate(() => (document.getElementById("status").textContent = ""));
	await page.locator(button).first().click();
	await becomes(title + ": copied", () => page.locator("#status").innerText(), "Copied as PNG");
	const got = await page.evaluate(compare, [what, pictures]);
	check(title + ": colors are in their places", got.all > 0 && got.colored === got.all && got.colors >= colors, got);
	check(title + ": and texts", got.written === got.texts, got);
	if (process.env.PICTURES) {
		const bytes = await page.evaluate(async () => Array.from(new Uint8Array(await (await (await navigator.clipboard.read())[0].getType("image/png")).arrayBuffer())));
		require("fs").writeFileSync(process.env.PICTURES + "/copied-" + title.replace(/\W+/g, "-") + ".png", Buffer.from(bytes));
	}
}

async function tables(open, options, at) {
	const { page } = await open(pageFile + "#matrix?causes=1", { ...ALLOWED, ...options });
	await page.waitForSelector("[role=gridcell]");
	const MATRIX = "#part-matrix .matrix",
		PNG = '#part-matrix .copy[aria-label="Copy as PNG: Matrix"]',
		CELLS = MATRIX + " [role=gridcell]:not(.none)",
		PICTURES = "#part-matrix .heat-legend, " + MATRIX;
	await copied(page, at + "matrix", PNG, CELLS + ", " + MATRIX + " thead .data", PICTURES, 3);
	await page.getByRole("button", { name: "Data colors", exact: true }).click();
	await page.evaluate(() => document.querySelector(".matrix-scroll").scrollTo(60, 0));
	const scrolled = await page.evaluate(() => document.querySelector(".matrix-scroll").scrollLeft);
	await page.locator(PNG).click();
	same(at + "the matrix stays where it was", await page.evaluate(() => document.querySelector(".matrix-scroll").scrollLeft), scrolled);
	await page.evaluate(() => document.querySelector(".matrix-scroll").scrollTo(0, 0));
	await copied(page, at + "matrix by data", PNG, CELLS, PICTURES, 4);
	await page.goto(pageFile + "#overview");
	await page.waitForSelector("#heat-map");
	await copied(page, at + "heat map", "#heat-map .copy", "#heat-map td.heat", "#heat-map table", 3);
}

async function pictures(open) {
	const { page } = await open(shared + "#data/" + encodeURIComponent(data), ALLOWED);
	await page.waitForSelector("#address-heat");
	await copied(page, "address heat", "#address-heat .copy", "#address-heat .lane-back", "#address-heat svg.chart", 1);
	await page.goto(shared + "#sharing");
	await page.waitForSelector("#part-sharing .shared");
	await page.locator("#part-sharing .shared summary").first().click();
	await copied(page, "shared line", "#part-sharing .shared[open] .copy", "#part-sharing .shared[open] .memory-line rect:not(.frame)", "#part-sharing .shared[open] .memory-line", 1);
}

async function comparison(open) {
	const { page } = await open(diff, ALLOWED);
	await page.waitForSelector("#matrices");
	await copied(page, "waterfall", "#waterfall .copy", "#waterfall td.wide rect", "#waterfall table", 2);
	await copied(page, "matrices", "#matrices .copy", "#matrices td.heat", "#matrices table", 2);
}

// The last one is refused by the clipboard.
async function saved(open) {
	const { page } = await open(pageFile + "#matrix");
	await page.waitForSelector("[role=gridcell]");
	await page.evaluate(() => (navigator.clipboard.write = () => Promise.reject(new Error("refused"))));
	const file = page.waitForEvent("download");
	await page.getByRole("button", { name: "Copy as PNG: Matrix" }).click();
	same("without a clipboard it is a file", (await file).suggestedFilename(), "matrix.png");
}

run(async (open) => {
	await tables(open, { colorScheme: "light" }, "light, ");
	await tables(open, { colorScheme: "dark", viewport: { width: 390, height: 844 } }, "dark phone, ");
	await pictures(open);
	await comparison(open);
	await saved(open);
});

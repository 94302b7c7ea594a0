// tests/browser/pictures.js PAGE SAMPLED FOLDER - the pictures of the documents; tools/pictures calls it.
"use strict";
const { run } = require("./lib.js");
const [pageFile, sampledFile, folder] = process.argv.slice(2);

const PICTURES = [
	{ name: "matrix", part: "bin/0/0", width: 1290, height: 640, colorScheme: "light" },
	{ name: "overview", part: "overview", width: 1000, height: 1180, colorScheme: "dark" },
	{ name: "flame", part: "flame", width: 1000, height: 480, colorScheme: "light" },
	{ name: "timeline", part: "timeline", width: 1000, height: 760, colorScheme: "light" },
	{ name: "intervals", part: "code", width: 1300, height: 390, colorScheme: "light", sampled: true },
];

run(async (open) => {
	for (const p of PICTURES) {
		const { page } = await open((p.sampled ? sampledFile : pageFile) + "#" + p.part, {
			colorScheme: p.colorScheme,
			viewport: { width: p.width, height: p.height },
		});
		await page.waitForTimeout(300); // pictures take the width of the page
		await page.screenshot({ path: folder + "/" + p.name + ".png" });
	}
});

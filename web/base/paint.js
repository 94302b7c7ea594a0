// paint.js - pictures as PNG. Shapes and texts of an SVG are drawn on a canvas one by one: as a picture of a picture it
// would be a request, which the page's policy refuses, and would have no styles.

const PAINTED = "rect, path, line, polyline, text",
	PIXELS = 2, // of a pixel of the page, so that the picture is sharp in a document
	MARGIN = 12,
	WORDS_LINE = 18; // height of a line of the title, and of the legend

function opacityIn(element, root) {
	let all = 1;
	for (let e = element; e && e !== root; e = e.parentElement) all *= Number(getComputedStyle(e).opacity);
	return all;
}

function paintShape(pen, element, style, root) {
	const number = (key) => Number(element.getAttribute(key)) || 0,
		opacity = opacityIn(element, root);
	const path = new Path2D(element.getAttribute("d") || "");
	if (element.tagName === "rect") path.rect(number("x"), number("y"), number("width"), number("height"));
	if (element.tagName === "line") {
		path.moveTo(number("x1"), number("y1"));
		path.lineTo(number("x2"), number("y2"));
	}
	if (element.tagName === "polyline")
		element
			.getAttribute("points")
			.split(" ")
			.forEach((point) => path.lineTo(...point.split(",").map(Number)));
	if (style.fill !== "none" && element.tagName !== "line") {
		pen.globalAlpha = opacity * Number(style.fillOpacity);
		pen.fillStyle = style.fill;
		pen.fill(path);
	}
	if (style.stroke !== "none") {
		pen.globalAlpha = opacity * Number(style.strokeOpacity);
		pen.strokeStyle = style.stroke;
		pen.lineWidth = parseFloat(style.strokeWidth);
		pen.stroke(path);
	}
}

function paintText(pen, text, style, x, y) {
	pen.globalAlpha = 1;
	pen.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
	pen.textAlign = { middle: "center", end: "right" }[style.textAnchor] || "left";
	pen.fillStyle = style.fill;
	pen.fillText(text, x, y);
}

// The text of an SVG element without that of its title.
function ownText(element) {
	return Array.from(element.childNodes, (n) => (n.nodeType === Node.TEXT_NODE ? n.data : "")).join("");
}

function paintPicture(pen, picture) {
	for (const element of picture.querySelectorAll(PAINTED)) {
		const style = getComputedStyle(element);
		if (style.visibility === "hidden" || style.display === "none") continue;
		if (element.tagName === "text") paintText(pen, ownText(element), style, Number(element.getAttribute("x")), Number(element.getAttribute("y")));
		else paintShape(pen, element, style, picture);
	}
}

// The entries of a legend, in lines of this width; without a pen they are only measured. Returns the height.
function paintLegend(pen, legend, width, top, draw) {
	let x = 0,
		y = top;
	for (const li of legend ? legend.querySelectorAll("li") : []) {
		const style = getComputedStyle(li),
			text = li.textContent.trim();
		pen.font = style.fontSize + " " + style.fontFamily;
		const room = 18 + pen.measureText(text).width + 16;
		if (x > 0 && x + room > width) {
			x = 0;
			y += WORDS_LINE;
		}
		if (draw) {
			pen.globalAlpha = 1;
			pen.fillStyle = getComputedStyle(li.querySelector("rect")).fill;
			pen.fillRect(x, y - 10, 11, 11);
			pen.textAlign = "left";
			pen.fillStyle = style.color;
			pen.fillText(text, x + 16, y);
		}
		x += room;
	}
	return y - top + (x > 0 ? WORDS_LINE : 0);
}

// picture: an SVG element; legend: its list of colors, or null.
function painted(picture, title, legend) {
	const box = picture.viewBox.baseVal,
		canvas = document.createElement("canvas"),
		pen = canvas.getContext("2d"),
		style = getComputedStyle(document.body),
		top = MARGIN + WORDS_LINE + 6,
		words = paintLegend(pen, legend, box.width, 0, false);
	canvas.width = Math.ceil((box.width + 2 * MARGIN) * PIXELS);
	canvas.height = Math.ceil((top + box.height + words + 2 * MARGIN) * PIXELS);
	pen.scale(PIXELS, PIXELS);
	pen.fillStyle = style.backgroundColor;
	pen.fillRect(0, 0, canvas.width, canvas.height);
	pen.fillStyle = style.color;
	pen.font = "600 14px " + style.fontFamily;
	pen.fillText(title, MARGIN, MARGIN + WORDS_LINE - 4, box.width);
	pen.save();
	pen.translate(MARGIN - box.x, top - box.y);
	paintPicture(pen, picture);
	pen.restore();
	pen.translate(MARGIN, top + box.height + WORDS_LINE);
	paintLegend(pen, legend, box.width, 0, true);
	return canvas;
}

function saveFile(blob, fileName) {
	const address = URL.createObjectURL(blob);
	h("a", { href: address, download: fileName }).click();
	setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Where the clipboard takes no pictures, the picture becomes a file.
async function copyPicture(canvas, fileName) {
	const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
	try {
		await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
		return "Copied";
	} catch {
		saveFile(blob, fileName);
		return "Saved";
	}
}

// find(): {picture, legend}; title: what it shows.
function pictureButton(title, find) {
	const button = h("button", { type: "button", class: "copy", title: "Copy the picture as PNG", "aria-label": "Copy as PNG: " + title }, "PNG");
	button.addEventListener("click", async () => {
		const { picture, legend: colors } = find(),
			whole = title + ": " + document.title.replace(/ - memspy$/, "");
		button.textContent = await copyPicture(painted(picture, whole, colors), title.toLowerCase().replace(/\W+/g, "-") + ".png");
		say(button.textContent + " as PNG");
		setTimeout(() => (button.textContent = "PNG"), 1500);
	});
	return button;
}

// Of a picture and a legend somewhere in an element that is made later.
function pictureIn(title, element) {
	return pictureButton(title, () => ({
		picture: element().querySelector("svg:not(.swatch)"),
		legend: element().querySelector(".legend"),
	}));
}

// dom.js - creates elements. Texts always become text nodes: names of profiled programs
// may contain anything, and must never become markup.

// Invisible characters that change the direction of text or break it are shown as numbers.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function visible(text) {
	return String(text).replace(
		HIDDEN,
		(c) => "\u27e8U+" + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") + "\u27e9",
	);
}

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
	for (const [key, value] of Object.entries(attributes || {})) {
		if (value === undefined || value === null || value === false) continue;
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else element.setAttribute(key, value === true ? "" : visible(value));
	}
	add(element, children);
	return element;
}

function add(element, children) {
	for (const child of children) {
		if (child === undefined || child === null || child === false) continue;
		if (Array.isArray(child)) add(element, child);
		else element.append(child instanceof Node ? child : visible(child));
	}
	return element;
}

// h("p", {class: "quiet"}, "text", h("b", {}, "more"))
function h(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
	return fill(document.createElementNS(SVG, tag), attributes, children);
}

// A name of code, data or a file: its text direction is isolated from its surroundings.
function name(text, attributes) {
	return h("bdi", Object.assign({ class: "name" }, attributes), text);
}

// Likewise above a narrow column: it is broken before brackets rather than anywhere.
function headingName(text, attributes) {
	return name(text.split(/(?=[[(<{])/).map((part, k) => [k > 0 && h("wbr"), part]), attributes);
}

function replace(element, ...children) {
	element.textContent = "";
	return add(element, children);
}

function link(where, ...children) {
	return h("a", { href: "#" + where }, ...children);
}

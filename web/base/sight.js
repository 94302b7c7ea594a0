// sight.js - rows of which only the visible ones exist. A row that leaves the view is reused for one that enters it:
// creating elements and their layout would delay scrolling.

// The first and one past the last of n items, `each` pixels long, that are visible from `from` on, with some around them.
function inSight(n, from, length, each, around) {
	const first = Math.max(0, Math.min(n, Math.floor(from / each) - around));
	return [first, Math.min(n, first + Math.ceil(length / each) + 2 * around)];
}

// Calls draw() once before the next frame, however often it is called.
function beforeNextPicture(draw) {
	let waiting = 0;
	return () => {
		if (!waiting)
			waiting = requestAnimationFrame(() => {
				waiting = 0;
				draw();
			});
	};
}

// make(): an empty row; fill(row, i): its contents. The space above and below is one empty row each, if any.
class Sight {
	constructor(body, height, make, fill) {
		Object.assign(this, { height, make, fill });
		this.rows = [];
		this.first = 0;
		this.top = new Comment(); // the rows stand between these
		this.bottom = new Comment();
		this.above = spaceRow();
		this.below = spaceRow();
		body.append(this.top, this.bottom);
	}

	// Rows first to last of n; anew: also those that are up to date already.
	show(first, last, n, anew) {
		if (first < this.first + this.rows.length && last > this.first) this.turn(first);
		this.first = first;
		while (this.rows.length > last - first) this.rows.pop().remove();
		while (this.rows.length < last - first) {
			this.rows.push(this.make());
			this.bottom.before(this.rows[this.rows.length - 1]);
		}
		this.rows.forEach((row, k) => {
			if (row.shows === first + k && !anew) return;
			row.shows = first + k;
			this.fill(row, first + k);
		});
		setHeight(this.above, first * this.height, (space) => this.top.before(space));
		setHeight(this.below, (n - last) * this.height, (space) => this.bottom.after(space));
	}

	// Rows that leave at one end are reused at the other.
	turn(first) {
		for (; this.first < first; this.first++) {
			this.rows.push(this.rows.shift());
			this.bottom.before(this.rows[this.rows.length - 1]);
		}
		for (; this.first > first; this.first--) {
			this.rows.unshift(this.rows.pop());
			this.top.after(this.rows[0]);
		}
	}
}

// The visible cells of one row, between two gaps as wide as the others; make(k): a cell.
class Strip {
	constructor(tag, width, make) {
		Object.assign(this, { width, make });
		this.cells = [];
		this.first = 0;
		this.left = gapCell(0, tag);
		this.right = gapCell(0, tag);
	}

	show(first, last, n) {
		const end = () => this.first + this.cells.length;
		if (first >= end() || last <= this.first) {
			for (const cell of this.cells) cell.remove();
			this.cells = [];
			this.first = first;
		}
		for (; this.first < first; this.first++) this.cells.shift().remove();
		while (end() > last) this.cells.pop().remove();
		while (this.first > first) {
			this.cells.unshift(this.make(--this.first));
			this.left.after(this.cells[0]);
		}
		while (end() < last) {
			this.cells.push(this.make(end()));
			this.right.before(this.cells[this.cells.length - 1]);
		}
		setWidth(this.left, first * this.width);
		setWidth(this.right, (n - last) * this.width);
	}
}

function gapCell(width, tag) {
	const cell = h(tag, { class: "gap", "aria-hidden": "true" });
	setWidth(cell, width);
	return cell;
}

// In a table with fixed layout, hiding a cell of the first row would move the others.
function setWidth(cell, width) {
	const text = width + "px";
	if (cell.style.width !== text) cell.style.minWidth = cell.style.width = text;
}

function spaceRow() {
	return h("tr", { class: "space", "aria-hidden": "true" }, h("td"));
}

function setHeight(row, height, place) {
	const text = height + "px";
	if (height === 0) row.remove();
	else if (!row.parentNode) place(row);
	if (row.firstChild.style.height !== text) row.firstChild.style.height = text;
}

function setText(element, text) {
	const shown = visible(text),
		node = element.firstChild;
	if (node === null || node.nodeType !== Node.TEXT_NODE || node.nextSibling) element.textContent = shown;
	else if (node.data !== shown) node.data = shown;
}

function setAttribute(element, key, value) {
	const text = visible(value);
	if (element.getAttribute(key) !== text) element.setAttribute(key, text);
}

// A name or a figure is written into the existing element; anything else replaces it.
const PLAIN = ["BDI", "SPAN"];
function refill(cell, content) {
	const now = cell.firstChild;
	if (typeof content === "string") setText(cell, content);
	else if (!isPlain(content) || !isPlain(now) || now.nextSibling || now.nodeName !== content.nodeName)
		replace(cell, content);
	else {
		for (const { name: key, value } of content.attributes) setAttribute(now, key, value);
		setText(now, content.textContent);
	}
}

function isPlain(node) {
	return node instanceof Element && PLAIN.includes(node.nodeName) && node.childElementCount === 0;
}

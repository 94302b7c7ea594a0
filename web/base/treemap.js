// treemap.js - divides a rectangle among values: rows of rectangles that are as square as possible.

// The worst ratio of the sides of rectangles with these areas in one row along `side`.
function worstRatio(areas, side) {
	const sum = areas.reduce((s, a) => s + a, 0),
		most = Math.max(...areas),
		least = Math.min(...areas);
	return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

// entries: [{value}], the largest first, all above 0. Returns [{entry, x, y, w, h}].
function treemap(entries, x, y, w, h) {
	const whole = entries.reduce((sum, e) => sum + e.value, 0),
		scale = whole > 0 ? (w * h) / whole : 0,
		placed = [];
	let rest = entries.slice(),
		at = { x, y, w, h };
	while (rest.length > 0) {
		const side = Math.min(at.w, at.h),
			row = [rest[0]],
			areas = [rest[0].value * scale];
		if (side <= 0) break;
		while (row.length < rest.length) {
			const wider = areas.concat(rest[row.length].value * scale);
			if (worstRatio(wider, side) > worstRatio(areas, side)) break;
			areas.push(wider[wider.length - 1]);
			row.push(rest[row.length]);
		}
		at = placeRow(placed, row, areas, at);
		rest = rest.slice(row.length);
	}
	return placed;
}

// Along the shorter side; returns what is left.
function placeRow(placed, row, areas, at) {
	const sum = areas.reduce((s, a) => s + a, 0),
		across = at.w >= at.h, // the row is a column at the left
		thick = sum / (across ? at.h : at.w);
	let from = 0;
	row.forEach((entry, i) => {
		const long = areas[i] / thick;
		placed.push(
			across
				? { entry, x: at.x, y: at.y + from, w: thick, h: long }
				: { entry, x: at.x + from, y: at.y, w: long, h: thick },
		);
		from += long;
	});
	return across
		? { x: at.x + thick, y: at.y, w: at.w - thick, h: at.h }
		: { x: at.x, y: at.y + thick, w: at.w, h: at.h - thick };
}

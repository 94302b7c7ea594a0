// tree.js - trees of costs: call paths from the outermost function inwards, or from the innermost outwards.

// A node: {label, code, data, value, children, parent}. code and data are rows of their tables, or null.
function treeNode(parent, label, code, data) {
	const node = { label, code, data, value: 0, children: [], byKey: new Map(), parent, depth: parent ? parent.depth + 1 : 0 };
	if (parent) parent.children.push(node);
	return node;
}

function childOf(node, key, label, code, data) {
	let child = node.byKey.get(key);
	if (!child) {
		child = treeNode(node, label, code, data);
		node.byKey.set(key, child);
	}
	return child;
}

function sortTree(node) {
	node.children.sort((a, b) => b.value - a.value);
	node.children.forEach(sortTree);
	return node;
}

function pairKey(run, code, data) {
	return (code === null ? -1 : code) * run.dataTable.length + data;
}

function pathLabel(run, code) {
	return code === null ? "<other paths>" : run.codeName(code);
}

// All call paths. The value of a node may be more than that of its children: what is too narrow is not in the page.
function callTree(run) {
	const t = run.tables.paths,
		costs = run.tables.path_costs,
		root = treeNode(null, "all", null, null),
		nodes = [];
	for (let i = 0; i < t.length; i++) {
		const parent = t.get(i, "parent"),
			code = t.get(i, "code"),
			value = t.get(i, "inclusive"),
			node = value > 0 ? treeNode(parent === null ? root : nodes[parent], pathLabel(run, code), code, null) : null; // not in a range of time
		if (node) node.value = value;
		nodes.push(node);
	}
	for (let i = 0; i < costs.length; i++) {
		const node = nodes[costs.get(i, "path")],
			data = costs.get(i, "data");
		treeNode(node, run.dataName(data), node.code, data).value = costs.get(i, "stall");
	}
	root.value = run.totals.stall_cycles;
	return sortTree(root);
}

function addCost(node, key, code, data, value) {
	const cost = node.costs.get(key);
	node.value += value;
	if (cost) cost.value += value;
	else node.costs.set(key, { code, data, value });
}

// The same costs, from the function that waits to its callers. costs of a node: what is waited for, by pair of the
// function that waits and data.
function callerTree(run) {
	const t = run.tables.paths,
		costs = run.tables.path_costs,
		root = treeNode(null, "all", null, null);
	root.costs = new Map();
	for (let i = 0; i < costs.length; i++) {
		const value = costs.get(i, "stall"),
			data = costs.get(i, "data");
		let node = root,
			path = costs.get(i, "path");
		const waiting = t.get(path, "code"),
			key = pairKey(run, waiting, data);
		addCost(root, key, waiting, data, value);
		for (; path !== null; path = t.get(path, "parent")) {
			const code = t.get(path, "code");
			node = childOf(node, code, pathLabel(run, code), code, null);
			node.costs = node.costs || new Map();
			addCost(node, key, waiting, data, value);
		}
	}
	return sortTree(root);
}

// Without call paths: functions, and their data.
function codeTree(run) {
	const root = treeNode(null, "all", null, null);
	for (let i = 0; i < run.code.length; i++) {
		const value = run.code.get(i, "stall_cycles");
		if (value <= 0) continue;
		const node = treeNode(root, run.codeName(i), i, null);
		node.value = value;
		for (const bin of run.rowsOf("bins", "code", i)) {
			const data = run.bins.get(bin, "data");
			treeNode(node, run.dataName(data), i, data).value = run.bins.get(bin, "stall_cycles");
		}
	}
	root.value = run.totals.stall_cycles;
	return sortTree(root);
}

// Likewise data, and the functions that use it.
function dataTree(run) {
	const root = treeNode(null, "all", null, null);
	for (let i = 0; i < run.dataTable.length; i++) {
		const value = run.dataTable.get(i, "stall_cycles");
		if (value <= 0) continue;
		const node = treeNode(root, run.dataName(i), null, i);
		node.value = value;
		for (const bin of run.rowsOf("bins", "data", i)) {
			const code = run.bins.get(bin, "code");
			treeNode(node, run.codeName(code), code, i).value = run.bins.get(bin, "stall_cycles");
		}
	}
	root.value = run.totals.stall_cycles;
	return sortTree(root);
}

// Code that is compiled while it runs, workers, a garbage collector at work, timers, and files.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const crypto = require('crypto');
const zlib = require('zlib');

function count(seed) {
	const words = new Map();
	for (let i = 0; i < 60000; i++) {
		seed = seed * 16807 % 2147483647;
		const word = 'w' + seed % 997;
		words.set(word, (words.get(word) || 0) + 1);
	}
	return [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5);
}

if (!isMainThread) {
	parentPort.postMessage(count(workerData));
} else {
	const results = [];
	const text = JSON.stringify(count(1)).repeat(500);
	const pressed = zlib.gunzipSync(zlib.gzipSync(text)).toString() === text;
	console.log(pressed, crypto.createHash('sha256').update(text).digest('hex'));
	let ticks = 0;
	const timer = setInterval(() => { if (++ticks === 20) clearInterval(timer); }, 1);
	const workers = [1, 2, 3].map(seed => new Promise(done =>
		new Worker(__filename, { workerData: seed }).on('message', m => { results[seed] = m; }).on('exit', done)));
	Promise.all(workers).then(() => {
		console.log(JSON.stringify(results));
		process.exitCode = 4;
	});
}

// help.js - what each figure means, in the words of memspy's documents.

const HELP = {
	stall: "Cycles that the processor waited for memory: every miss, times the latency of what answered it. A program with less of it runs faster without computing less.",
	compute: "One cycle an instruction, hits in the first cache level included.",
	references: "Loads and stores. An instruction that modifies memory counts as a read.",
	misses: "References whose line was not in this cache level.",
	rate: "Misses of the level, of all references.",
	first: "The line was never in this level before: the first use of it. Larger lines, a prefetcher or less data help.",
	replacement:
		"The line had been there and was pushed out by other lines before it was used again. Smaller pieces of work (tiling), another layout or padding help.",
	invalidation:
		"Another processor had written into the line. Keeping data of different processors in different lines, or writing less of what is shared, helps.",
	false_sharing:
		"Invalidation misses that wanted bytes nobody else had written: only the line is shared, not the data.",
	peer: "Misses that another processor's cache answered.",
	covered: "Misses that the level's prefetcher would have fetched before they were wanted. They count as misses here.",
	average: "Stall cycles for each reference, on average: the latency that the program sees.",
	objects: "How many blocks or variables of this data came to life.",
	bytes: "All of them together.",
	peak: "The most bytes alive at one time.",
	occupancy: "How much of the cache level the data had, on average over the run.",
	evicts: "Lines that references to this data pushed out of the level.",
	evicted: "Lines of this data that were pushed out of the level.",
	normalised: "Compute and stall time divided by the processors that were busy meanwhile: what runs alone counts whole, what four do together a quarter. Much of it with little parallelism is a serial bottleneck.",
	wait: "Cycles that a thread waited for others: locks, joins, spinning, for a processor.",
	interval: "The run was sampled, so figures are estimates. In 95 of 100 cases the true one lies between these two.",
	name: "As the program names it.",
};

const PARTS = {
	overview: "Where the time of the program goes: blue is computing, orange is waiting for memory. Times are in cycles of the simulated machine: one an instruction, and the latency of whatever answered each miss. They rank; they do not predict a stopwatch, since overlap and prefetching are not modelled.",
	matrix: "Every code (down) with every data (across): how much of the chosen figure belongs to the pair. The darker, the more. A total at the head of a column sorts the code by it. Choose a cell to see everything about that pair, why its data was not in the cache and who pushed it out. Shares are rounded each by itself.",
	code: "Every function: how long it computed and waited, and its misses. Choose one to see its data and lines.",
	data: "Everything the program keeps in memory, by the names it has there: how large, how often used, why it misses, how much of the caches it has. Choose one for all of it.",
	evictions: "Which data (down) pushes which data (across) out of a cache level. A column adds up to 100 %: all evictions of that data. On the diagonal, data pushes itself out: it is used again too late for its size. Elsewhere, two data get in each other's way: padding or moving one of them may help.",
	sharing: "What processors take away from each other, because one wrote into a line that another used. False sharing is what lies in one line by accident: moving it apart saves the miss.",
	source: "Lines of the program's own files that wait for memory, with some lines around them. The bar is the share in all stall time.",
	timeline: "What missed each cache level, and what was in it, from the program's start to its end, data by data. Steps are blocks of code executed and references made. Data that comes and goes in turns gets in its own way.",
	threads: "Where each thread, function and processor spent its time: computing, waiting for memory, waiting for others. Times are virtual cycles of the simulated machine.",
	about: "What this page is, and how to read its words.",
};

function helpFor(part) {
	return h("details", { class: "help" }, h("summary", {}, "What this shows"), h("p", {}, PARTS[part]));
}

const WORDS = [
	["reference", "one load or store of the program"],
	["code", "a function"],
	["data", "all memory that the programmer thinks of as one thing: a variable, or what one place allocates"],
	["bin", "a pair of code and data: the unit of these statistics"],
	[
		"miss",
		"a reference whose line was not in a cache level, with one of three causes: first reference, replacement, invalidation",
	],
	["stall", "time that the processor waits for memory"],
	["eviction", "a line that had to leave a cache level because a reference brought another one in"],
	["machine", "the memory system that was simulated"],
	["run", "one profiled execution"],
];

// Code that is compiled while it runs, a garbage collector, threads, null pointers that are caught.
import java.util.*;
import java.util.concurrent.*;

public class Work {
	static long count(long seed) {
		Map<String, Long> words = new HashMap<>();
		for (int i = 0; i < 50000; i++) {
			seed = seed * 16807 % 2147483647;
			words.merge("w" + seed % 997, seed % 10, Long::sum);
		}
		return words.values().stream().mapToLong(Long::longValue).sum();
	}

	public static void main(String[] args) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		List<Future<Long>> results = new ArrayList<>();
		for (long i = 1; i <= 8; i++) {
			final long seed = i;
			results.add(threads.submit(() -> count(seed)));
		}
		for (Future<Long> r : results)
			System.out.println(r.get());
		threads.shutdown();
		int caught = 0;
		for (int i = 0; i < 20000; i++)
			try {
				String s = i % 3 == 0 ? null : "x";
				caught += s.length() - 1;
			} catch (NullPointerException e) {
				caught++;
			}
		System.out.println(caught);
		System.exit(8);
	}
}

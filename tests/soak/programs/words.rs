// Collections, strings, threads, channels, and panics that are caught.
use std::collections::{BTreeMap, HashMap};
use std::sync::{mpsc, Arc, Mutex};
use std::{panic, thread};

fn next(seed: &mut u64) -> u64 {
    *seed = *seed * 16807 % 2147483647;
    *seed
}

fn count(mut seed: u64) -> HashMap<String, u64> {
    let mut words = HashMap::new();
    for _ in 0..20000 {
        let word = format!("w{}", next(&mut seed) % 997);
        *words.entry(word).or_insert(0) += seed % 10;
    }
    words
}

fn main() {
    let (sender, receiver) = mpsc::channel();
    let all = Arc::new(Mutex::new(BTreeMap::new()));
    let threads: Vec<_> = (1..=4)
        .map(|i| {
            let (sender, all) = (sender.clone(), Arc::clone(&all));
            thread::spawn(move || {
                for (word, n) in count(i) {
                    *all.lock().unwrap().entry(word).or_insert(0u64) += n;
                }
                sender.send(i).unwrap();
            })
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    drop(sender);
    println!("{}", receiver.iter().sum::<u64>());
    let all = all.lock().unwrap();
    println!("{} {:?}", all.len(), all.iter().take(5).collect::<Vec<_>>());
    panic::set_hook(Box::new(|_| {}));
    let caught = (0..200)
        .filter(|&i| panic::catch_unwind(|| [1, 2, 3][i as usize % 5]).is_err())
        .count();
    println!("{} panics", caught);
    std::process::exit(9);
}

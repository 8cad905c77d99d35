/** Finds the known word that was probably meant, for a `ref` or a key with a typing error. */

/** @returns the known word with the fewest differences, without regard to case; null: none is close */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  let nearest: string | null = null;
  // Above a third of the letters, two words are only different.
  let fewest = Math.floor(word.length / 3) + 1;
  for (const one of known) {
    if (Math.abs(one.length - word.length) >= fewest) continue;
    const differences = editDistance(word.toLowerCase(), one.toLowerCase());
    if (differences >= fewest) continue;
    nearest = one;
    fewest = differences;
  }
  return nearest;
}

/**
 * Optimal string alignment: the number of letters to insert, delete or replace, or of neighbours to swap.
 * Takes a.length × b.length steps.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (cells: number[], index: number) => cells[index] ?? 0;
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, at(beforeLast, j - 2) + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

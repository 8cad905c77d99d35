/** Finds the repeated ids of a partition. Of all lines with one id, the line that was received first is the click. */
import { AT, fileOf, offsetOf, RECORD_WORDS, receivedOf } from './record.ts';
import type { Memory } from './spill.ts';

/** @returns for each record: 1 if it is the click, 0 if it repeats one */
export function markFirst(words: Uint32Array, memory: Memory): Uint8Array {
  const count = words.length / RECORD_WORDS;
  const isFirst = new Uint8Array(count);
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, count * 1.5)));
  /** Record number plus one; 0: free. */
  const slots = memory.take(size).fill(0);
  for (let record = 0; record < count; record += 1) {
    const at = record * RECORD_WORDS;
    let slot = hashOf(words, at) & (size - 1);
    let other = (slots[slot] as number) - 1;
    while (other >= 0 && !haveSameId(words, at, other * RECORD_WORDS)) {
      slot = (slot + 1) & (size - 1);
      other = (slots[slot] as number) - 1;
    }
    if (other >= 0 && isBefore(words, other * RECORD_WORDS, at)) continue;
    if (other >= 0) isFirst[other] = 0;
    slots[slot] = record + 1;
    isFirst[record] = 1;
  }
  return isFirst;
}

/** All 4 words, because a test or a wrong browser may make ids that differ in only one of them. */
export function hashOf(words: Uint32Array, at: number): number {
  let hash = Math.imul(words[at + AT.id] as number, 0x9e3779b1);
  for (let i = 1; i < 4; i += 1)
    hash = Math.imul(hash ^ (hash >>> 15) ^ (words[at + i] as number), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function haveSameId(words: Uint32Array, a: number, b: number): boolean {
  return (
    words[a] === words[b] &&
    words[a + 1] === words[b + 1] &&
    words[a + 2] === words[b + 2] &&
    words[a + 3] === words[b + 3]
  );
}

function isBefore(words: Uint32Array, a: number, b: number): boolean {
  return (
    (receivedOf(words, a) - receivedOf(words, b) ||
      fileOf(words, a) - fileOf(words, b) ||
      offsetOf(words, a) - offsetOf(words, b)) < 0
  );
}

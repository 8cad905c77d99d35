/** Prints differences as they are found, a limited number of each kind, and counts the rest. */
import { printable } from '../../server/text/printable.ts';

export interface Differences {
  add(kind: Kind, text: string): void;
  /** @returns the number of all differences */
  count(): number;
  /** Prints how many of each kind were not printed. */
  finish(): void;
}

/** Each kind with the words for it. */
const KINDS = {
  damaged: 'damaged files',
  torn: 'incomplete lines',
  unreadable: 'lines that are not clicks',
  repeated: 'ids that are in the ledgers twice',
  unindexed: 'clicks that the index lacks',
  unlogged: 'clicks that only the index has',
  counts: 'counts that differ',
  index: 'missing indexes',
};
export type Kind = keyof typeof KINDS;

export function createDifferences(limit: number, print: (text: string) => void): Differences {
  const counts = new Map<Kind, number>();
  return {
    add(kind, text) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count <= limit) print(`${printable(text)}\n`);
    },
    count: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    finish() {
      for (const [kind, count] of counts)
        if (count > limit) print(`${count} ${KINDS[kind]}: the first ${limit} are above.\n`);
    },
  };
}

/** Notes how far the index has the ledger, so that the lag is known without a question to the database. */
import type { LedgerPosition } from '../ledger/ledger.ts';
import type { ClickIndex } from './click-index.ts';

export interface TrackedIndex {
  clickIndex: ClickIndex;
  /** End of the indexed part as this process last saw it; null: nothing is indexed, or not known yet. */
  indexedTo(): LedgerPosition | null;
}

export function trackPosition(clickIndex: ClickIndex): TrackedIndex {
  let indexed: LedgerPosition | null = null;
  return {
    indexedTo: () => indexed,
    clickIndex: {
      ...clickIndex,
      async commitGroup(rows, persist) {
        let next: LedgerPosition | null = null;
        const fresh = await clickIndex.commitGroup(rows, async (fresh) => {
          next = await persist(fresh);
          return next;
        });
        indexed = next;
        return fresh;
      },
      async position() {
        indexed = await clickIndex.position();
        return indexed;
      },
    },
  };
}

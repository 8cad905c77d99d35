/** Records receipts, and keeps them in memory while the database is away, so that their events are not sent twice. */
import type { Receipt } from '../receipts.ts';
import type { ReceiptStore } from './receipt-store.ts';
import type { Within } from './time-limit.ts';

/** Upper bound, about 10 MB. The oldest are dropped, and the forwarder then sends their clicks again. */
const MOST = 50_000;
/** Receipts of one statement. */
const ROWS = 100;

export interface LateReceipts {
  /** Never rejects because of the database. @returns the database's error; null: there was none */
  record(receipts: readonly Receipt[]): Promise<unknown>;
  /** Writes what is late. @throws (rejects with) the error of the database */
  flush(): Promise<void>;
}

/** @param within runs work on the database, with a time limit */
export function createLateReceipts(
  store: Pick<ReceiptStore, 'record'>,
  within: Within,
): LateReceipts {
  const late: Receipt[] = [];
  const write = async (receipts: Receipt[]) => {
    try {
      await within(() => store.record(receipts));
    } catch (cause) {
      late.unshift(...receipts);
      late.splice(0, late.length - MOST);
      throw cause;
    }
  };
  return {
    record: (receipts) =>
      receipts.length === 0
        ? Promise.resolve(null)
        : write([...receipts]).then(
            () => null,
            (cause: unknown) => cause,
          ),
    async flush() {
      while (late.length > 0) await write(late.splice(0, ROWS));
    },
  };
}

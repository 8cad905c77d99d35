/** The click index of one server on PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openPostgresIndex } from '../../../server/clicks/index/postgres/postgres-index.ts';

const silent = { info: () => {}, warn: () => {} };

/** Opens the index until the end of the test. */
export function openIndex(url: string, ledger: string = randomUUID(), keepMonths = 0) {
  const clickIndex = openPostgresIndex({ url: new URL(url), ledger, keepMonths, log: silent });
  onTestFinished(() => clickIndex.close().catch(() => {}));
  return clickIndex;
}

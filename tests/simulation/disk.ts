/**
 * Simulates a full disk: replaces `appendFileSync`, with which the server writes its logs. Import
 * this module before every module of the product.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { random } from './random.ts';

const fs = createRequire(import.meta.url)('node:fs') as typeof import('node:fs');
const append = fs.appendFileSync;

export const disk = {
  /** Draws whether the next append fails. Each world sets its own function. */
  isFull: (): boolean => false,
  /** Number of appends of which only a part was written. */
  cuts: 0,
};

fs.appendFileSync = (file, text, options) => {
  if (!disk.isFull()) return append(file, text, options);
  const part = String(text).slice(0, Math.floor(random.next() * String(text).length));
  if (part !== '') {
    append(file, part, options);
    disk.cuts += 1;
  }
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
};
syncBuiltinESMExports();

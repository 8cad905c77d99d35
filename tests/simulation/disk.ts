/**
 * A disk that can be full: replaces `appendFileSync`, with which the server writes its logs. Import
 * it before the product.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { random } from './random.ts';

const fs = createRequire(import.meta.url)('node:fs') as typeof import('node:fs');
const append = fs.appendFileSync;

export const disk = {
  /** Whether the next append fails. The world replaces it. */
  isFull: (): boolean => false,
  /** Texts that the full disk has cut. */
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

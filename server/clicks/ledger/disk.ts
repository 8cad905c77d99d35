/** The file-system calls under the ledger, as an argument: tests watch their order, and let them fail. */
import type * as fs from 'node:fs';

export type Disk = Pick<
  typeof fs,
  | 'closeSync'
  | 'fdatasync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'openSync'
  | 'readSync'
  | 'rmSync'
  | 'statSync'
  | 'writeSync'
>;

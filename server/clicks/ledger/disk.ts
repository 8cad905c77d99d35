/** The ledger's file-system calls, as an argument, so that tests can check their order and make them fail. */
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

/** Memory and file descriptors of a process. Needs Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** @returns resident memory in megabytes */
export function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** @returns number of open file descriptors */
export const openDescriptors = (pid: number | undefined): number =>
  readdirSync(`/proc/${pid}/fd`).length;

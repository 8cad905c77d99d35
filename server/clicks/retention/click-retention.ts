/**
 * CLICK_RETENTION_DAYS: rotates the ledger once a day, and deletes whole rotated files whose newest line is older. The
 * index keeps their ids and their counts.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Logger } from 'pino';
import { firstIdOf } from '../ledger/first-line.ts';
import { firstTime, type LedgerSummary, summarizeLedgerFile } from '../ledger/ledger-times.ts';
import { ledgerFiles } from '../ledger/read-ledger.ts';
import type { Recorder } from '../record-clicks.ts';
import { noteDeletion } from './deleted-clicks.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface ClickRetentionParts {
  ledger: string;
  /** Gets a line for each deleted file. */
  notes: string;
  days: number;
  recorder: Pick<Recorder, 'reopen' | 'whenIndexed'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

interface Due extends LedgerSummary {
  file: string;
}

/** @returns a function that rotates and deletes what is due at a time, in milliseconds since 1970 */
export function createClickRetention(parts: ClickRetentionParts): (nowMs: number) => Promise<void> {
  const readSummary = rememberSummaries();
  const keepUndated = warnOnce(parts.log);
  return async (nowMs) => {
    await rotate(parts, nowMs);
    const deleteBefore = nowMs - parts.days * DAY_MS;
    const due: Due[] = [];
    for (const file of ledgerFiles(parts.ledger)) {
      if (file === parts.ledger || !(await mayBeOld(file, deleteBefore))) continue;
      const summary = await readSummary(file);
      if (summary.newestMs === null || summary.newestMs >= deleteBefore) continue;
      if (summary.undated > 0) keepUndated(file, summary.undated);
      else due.push({ file, ...summary });
    }
    if (due.length === 0) return;
    // The totals would lack clicks that the index does not have yet.
    await parts.recorder.whenIndexed(() => {
      for (const one of due) remove(parts, one, nowMs);
    });
  };
}

function warnOnce(log: Pick<Logger, 'warn'>): (file: string, undated: number) => void {
  const warned = new Set<string>();
  return (file, undated) => {
    if (warned.has(file)) return;
    warned.add(file);
    log.warn(
      `${file} is kept: ${undated} of its lines do not say when they were received. Check them, then delete the file yourself.`,
    );
  };
}

/** Renames a ledger with lines of an earlier day to `clicks.jsonl-20260131`, with today's date (UTC). */
async function rotate({ ledger, recorder, log }: ClickRetentionParts, nowMs: number) {
  const first = await firstTime(ledger);
  const now = new Date(nowMs).toISOString();
  if (first === null || new Date(first).toISOString().slice(0, 10) >= now.slice(0, 10)) return;
  const rotated = `${ledger}-${now.slice(0, 10).replaceAll('-', '')}`;
  const isTaken = [rotated, `${rotated}.gz`].some((file) => existsSync(file));
  const name = isTaken ? `${rotated}-${now.slice(11, 19).replaceAll(':', '')}` : rotated;
  renameSync(ledger, name);
  await recorder.reopen();
  log.info(`Rotated the ledger to ${name}`);
}

/** A cheap check, which avoids reading whole files every time. */
async function mayBeOld(file: string, deleteBefore: number): Promise<boolean> {
  const first = await firstTime(file);
  return first !== null && first < deleteBefore;
}

/** Reads each rotated file once, because rotated files do not change. */
function rememberSummaries(): (file: string) => Promise<LedgerSummary> {
  const known = new Map<string, LedgerSummary>();
  return async (file) => {
    const { ino, size, mtimeMs } = statSync(file);
    const key = `${ino} ${size} ${mtimeMs}`;
    const summary = known.get(key) ?? (await summarizeLedgerFile(file));
    known.set(key, summary);
    return summary;
  };
}

function remove(
  { notes, days, log }: ClickRetentionParts,
  { file, clicks, robots, oldestMs, newestMs }: Due,
  nowMs: number,
): void {
  noteDeletion(notes, {
    deleted_at: toIso(nowMs),
    file: basename(file),
    first: firstIdOf(file),
    clicks,
    robots,
    oldest: toIso(oldestMs ?? nowMs),
    newest: toIso(newestMs ?? nowMs),
  });
  rmSync(file);
  syncFolder(dirname(file));
  log.info(`Deleted ${file}: its ${clicks + robots} clicks are older than ${days} days`);
}

const toIso = (time: number) => new Date(time).toISOString();

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** `clicks trace ID`: one click's life, from the browser to PostHog, out of all places that know it. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { hasId } from '../../server/clicks/index/has-id.ts';
import { ledgerFiles } from '../../server/clicks/ledger/read-ledger.ts';
import type { Config } from '../../server/config.ts';
import { dataFiles } from '../../server/data-files.ts';
import { openReceipts } from '../../server/posthog/receipts/open-receipts.ts';
import type { Receipt } from '../../server/posthog/receipts.ts';
import { printable, toPrintableJson } from '../../server/text/printable.ts';
import { UsageError } from '../usage-error.ts';
import { warn, warnOfIgnored } from '../warn.ts';
import { findLine, findRejection, findTombstone, type TracedLine } from './find-line.ts';
import { duration, type Evidence, lifeOf, type Step } from './life.ts';

type Files = Config['files'];
type Settings = Pick<Config, 'files' | 'databaseUrl' | 'logIp'>;

/**
 * @param folders data folders
 * @throws UsageError if the id is not a click's; an Error if no place knows it
 */
export async function trace(
  folders: string[],
  settings: Settings,
  { id: given, json }: { id: string | undefined; json?: boolean | undefined },
  print: (text: string) => void,
): Promise<void> {
  const id = readId(given);
  const { databaseUrl, logIp } = settings;
  const all = folders.map(dataFiles);
  const paths = all.map(({ ledger }) => ledger);
  for (const path of paths) warnOfIgnored(path);
  const found = await findLine(paths, id);
  const faults: Evidence['faults'] = {};
  const evidence: Evidence = {
    found,
    tombstone: found ? null : await findTombstone(paths, id),
    rejection: found ? null : await firstOf(all, (one) => findRejection(one.rejectedBodies, id)),
    isIndexed: await isInIndex(all, databaseUrl, id).catch((cause: Error) => {
      faults.index = `cannot be asked. ${cause.message}`;
      return null;
    }),
    receipt: await findReceipt(settings, id).catch((cause: Error) => {
      faults.receipts = `is not known, because the receipts cannot be read. ${cause.message}`;
      return null;
    }),
    faults,
    logIp,
  };
  const { rejection, isIndexed, receipt } = evidence;
  if (!found && !rejection && !isIndexed && !receipt) throw unknown(id, paths, faults);
  const steps = lifeOf(evidence);
  print(json ? asJson(id, evidence, steps) : asText(id, found?.line ?? null, steps));
}

/** Servers without a shared database have an index each. @returns null if there is no index yet */
async function isInIndex(all: Files[], databaseUrl: URL | null, id: string) {
  const answers = all.map(({ clickIndex: file }) => hasId({ file, databaseUrl }, id));
  const known = (await Promise.all(answers)).filter((answer) => answer !== null);
  return known.length === 0 ? null : known.includes(true);
}

async function firstOf<T>(all: Files[], find: (files: Files) => Promise<T | null>) {
  for (const files of all) {
    const found = await find(files);
    if (found !== null) return found;
  }
  return null;
}

function readId(id: string | undefined): string {
  const parsed = z.uuid().toLowerCase().safeParse(id);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `trace needs a click's id, a UUID such as 019c1234-5678-7abc-8def-0123456789ab${id === undefined ? '' : `, not "${id}"`}`,
  );
}

/** Makes no file, if the server has none yet. */
async function findReceipt(settings: Settings, id: string): Promise<Receipt | null> {
  if (!settings.databaseUrl && !existsSync(settings.files.receipts)) return null;
  const store = await openReceipts(settings, warn);
  try {
    return (await store.find([id])).get(id) ?? null;
  } finally {
    await store.close();
  }
}

function unknown(id: string, paths: string[], faults: Evidence['faults']): Error {
  const missing = paths.filter((path) => ledgerFiles(path).length === 0);
  const hint = missing.length > 0 ? ` There is no ledger at ${missing.join(', ')}.` : '';
  const asked = [
    faults.index && `The index ${faults.index}`,
    faults.receipts && `PostHog’s verdict ${faults.receipts}`,
  ];
  const unasked = asked
    .filter(Boolean)
    .map((fault) => `\n${fault}`)
    .join('');
  return new Error(
    `No click with the id ${id}: no line of the ledger, no rejected body, no index and no receipt has it.${hint} ` +
      'It may still wait in a browser, which keeps a click for 7 days, or be in the ledger of another server: name it with --ledger.' +
      unasked,
  );
}

const asJson = (id: string, evidence: Evidence, steps: Step[]): string =>
  `${toPrintableJson({
    id,
    click: evidence.found?.line ?? null,
    ledger: evidence.found && { file: evidence.found.file, line: evidence.found.number },
    forgotten: evidence.tombstone,
    rejected: evidence.rejection,
    indexed: evidence.isIndexed,
    receipt: evidence.receipt,
    faults: evidence.faults,
    steps,
  })}\n`;

function asText(id: string, line: TracedLine | null, steps: Step[]): string {
  const start = steps[0]?.at ?? null;
  const rows = steps.map(({ at, place, text }, i) => {
    const time = i === 0 ? wallClock(at) : sinceStart(start, at);
    return `${time.padStart(24)}  ${NAMES[place].padEnd(8)} ${printable(text)}\n`;
  });
  return `Click ${id}\n${line ? `${describeClick(line)}\n` : ''}\n${rows.join('')}`;
}

const NAMES: Record<Step['place'], string> = {
  browser: 'browser',
  server: 'server',
  ledger: 'ledger',
  index: 'index',
  posthog: 'PostHog',
};

function describeClick({ event, referrer, campaign = {}, visit_id, is_bot, ...line }: TracedLine) {
  const parts = [
    event,
    `ref ${referrer ?? '-'}`,
    ...Object.entries(campaign).map((entry) => entry.join('=')),
    ...(visit_id ? [`visit ${visit_id}`] : []),
    ...(is_bot ? ['robot'] : []),
    ...(line.private ? ['private'] : []),
  ];
  return printable(parts.join(', '));
}

const wallClock = (at: string | null) => at?.replace('T', ' ') ?? '';

function sinceStart(start: string | null, at: string | null): string {
  if (at === null) return '';
  if (start === null) return wallClock(at);
  const ms = Date.parse(at) - Date.parse(start);
  return ms < 0 ? `-${duration(-ms)}` : `+${duration(ms)}`;
}

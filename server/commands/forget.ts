/**
 * `site forget`: deletes what the site has of a visitor who asks for it, and names what it cannot
 * reach.
 */
import { setTimeout as realWait } from 'node:timers/promises';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { readBuiltSite } from '../built-site.ts';
import { blankLines } from '../clicks/blank-lines.ts';
import { logForgotten } from '../clicks/click-log.ts';
import { findVisitor, forgetClicks, type Visitor } from '../clicks/forget-clicks.ts';
import type { Database } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';
import { networkKey, plainAddress } from '../http/address.ts';
import { REQUEST_TIMEOUT_MS } from '../posthog/post-batch.ts';
import type { Settings } from '../settings.ts';
import { SECOND_MS } from '../time.ts';
import { print, withDatabase, withReader } from './common.ts';
import { deleteByEmail } from './registrations.ts';

/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;
/** How long a batch may be on its way: the sender reads it, and PostHog answers. */
const BATCH_MS = 5 * SECOND_MS + REQUEST_TIMEOUT_MS;

/** The options of the command. */
type Given = { visit?: string; ip?: string; email?: string; build: string };

type Wait = (ms: number) => Promise<unknown>;

/** Takes at least one of the three; `visit` in lower case, `build` is the folder of the build. */
export async function forget(
  { visit = '', ip = '', email = '', build }: Given,
  wait: Wait = realWait,
): Promise<void> {
  const isOfClicks = visit !== '' || ip !== '';
  if (!isOfClicks && email === '')
    throw new Error('Name the visitor: --visit ID, --ip ADDRESS or --email ADDRESS.');
  const address = ip === '' ? null : plainAddress(ip);
  await withDatabase(async (db, settings) => {
    const site = readBuiltSite(build);
    const isDeleted = email !== '' && (await deleteByEmail(db, settings, email));
    if (isDeleted) print('The registration is deleted.');
    if (address !== null && site.logIp !== 'full') print(describeStored(site.logIp, address));
    const find = (reader: Reader) => findVisitor(reader, visit || null, address);
    const visitor = isOfClicks ? await withReader(settings, find) : null;
    const found = visitor ? await forgetHere(db, settings, visitor, wait) : 0;
    print(db.kind === 'postgres' ? NOT_REACHED + NOT_REACHED_WITH_POSTGRES : NOT_REACHED);
    const persons = site.posthogKey === null ? [] : [...(visitor?.distinctIds ?? [])];
    if (persons.length > 0) print([DELETE_BY_HAND, ...persons.map((one) => `  ${one}`)].join('\n'));
    if (!isDeleted && found === 0) throw new Error(NOTHING_FOUND);
  });
}

function describeStored(logIp: BuiltSite['logIp'], address: string): string {
  const network = `--ip ${networkKey(address)} forgets all visitors of this network.`;
  return `logIp is ${logIp}, so no full address is stored. ${logIp === 'none' ? '' : network}`;
}

/** @returns the number of clicks, events and lines */
async function forgetHere(
  db: Database,
  settings: Settings,
  visitor: Visitor,
  wait: Wait,
): Promise<number> {
  const { clicks, events } = visitor;
  const uuids = [...clicks.keys(), ...events];
  // The lines are written before the rows are emptied: if the disk is full, the rows still lead to
  // the visitor, and the command can run again.
  logForgotten(settings.dataDir, clicks.values(), Date.now());
  let isUnderWay = false;
  for (let n = 0; n < uuids.length; n += SLICE)
    if (await forgetClicks(db, uuids.slice(n, n + SLICE), Date.now())) isUnderWay = true;
  await db.overwriteDeleted(['clicks', 'posthog_outbox']);
  const lines = blankLines(settings.dataDir, visitor);
  print(
    `Forgotten: ${clicks.size} clicks, ${events.length} other events for PostHog, ${lines} lines in the log files of ${settings.dataDir}.`,
  );
  if (isUnderWay) {
    print(`Waiting ${BATCH_MS / 1000} s for events that are on their way to PostHog.`);
    await wait(BATCH_MS);
  }
  return uuids.length + lines;
}

const DELETE_BY_HAND =
  "PostHog's API deletes only the events of people with a profile, which this site's events do not make. Ask PostHog's support to delete the events with these values of distinct_id:";

const NOTHING_FOUND =
  'There is nothing of this visitor in the database, nor in the log files of this machine.';
const NOT_REACHED = `Not reached:
  - backups, exports, mails that were sent. After a restore, import the log of the days since the backup: it has a line for each click that was forgotten. If that log is gone, run this command again.
  - the server's standard output, in the system's journal or the container's log. It has no addresses.
  - logs of proxies.
  - a page that is still open. Its next clicks are kept.`;
const NOT_REACHED_WITH_POSTGRES = `
  - archived WAL of PostgreSQL, and WAL on its standby, until it is overwritten.
  - the log files of other machines. Run this command once on each machine with a server.`;

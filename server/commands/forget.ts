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

/** Rows of one transaction. More would make the clicks of the running server wait. */
const BATCH_ROWS = 500;
/**
 * How long a batch may be on its way to PostHog: 5 s until the sender has read it, and the time
 * limit of its request.
 */
const POSTHOG_BATCH_MS = 5 * SECOND_MS + REQUEST_TIMEOUT_MS;

/** Options of the command. An absent option is an empty text. */
type ForgetOptions = { visit?: string; ip?: string; email?: string; build: string };

type Wait = (ms: number) => Promise<unknown>;

/**
 * Deletes the registration of `email`, and empties the clicks of `visit` (a visit id in lower case)
 * or `ip`. At least one of the three must be there.
 *
 * @throws (rejects with) an Error if there is nothing of the visitor
 */
export async function forget(
  { visit = '', ip = '', email = '', build }: ForgetOptions,
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
    const found = visitor ? await forgetClicksAndLines(db, settings, visitor, wait) : 0;
    print(
      db.kind === 'postgres' ? NOT_DELETED_LIST + NOT_DELETED_LIST_OF_POSTGRES : NOT_DELETED_LIST,
    );
    const persons = site.posthogKey === null ? [] : [...(visitor?.distinctIds ?? [])];
    if (persons.length > 0)
      print([DELETE_BY_HAND, ...persons.map((distinctId) => `  ${distinctId}`)].join('\n'));
    if (!isDeleted && found === 0) throw new Error(NOTHING_FOUND);
  });
}

/** Says which addresses the site stores, if an operator asks for a full one that it does not. */
function describeStored(logIp: BuiltSite['logIp'], address: string): string {
  const network = `--ip ${networkKey(address)} forgets all visitors of this network.`;
  return `logIp is ${logIp}, so no full address is stored. ${logIp === 'none' ? '' : network}`;
}

/**
 * Empties the rows and blanks the log lines of a visitor on this machine.
 *
 * @returns the number of clicks, events and lines
 */
async function forgetClicksAndLines(
  db: Database,
  settings: Settings,
  visitor: Visitor,
  wait: Wait,
): Promise<number> {
  const { clicks, events } = visitor;
  const uuids = [...clicks.keys(), ...events];
  // The lines that say "forgotten" are written before the rows are emptied. If the disk is full,
  // the rows still lead to the visitor, and the command can run again.
  logForgotten(settings.dataDir, clicks.values(), Date.now());
  let hasEventUnderWay = false;
  for (let n = 0; n < uuids.length; n += BATCH_ROWS)
    if (await forgetClicks(db, uuids.slice(n, n + BATCH_ROWS), Date.now())) hasEventUnderWay = true;
  await db.overwriteDeleted(['clicks', 'posthog_outbox']);
  const lines = blankLines(settings.dataDir, visitor);
  print(
    `Forgotten: ${clicks.size} clicks, ${events.length} other events for PostHog, ${lines} lines in the log files of ${settings.dataDir}.`,
  );
  if (hasEventUnderWay) {
    print(`Waiting ${POSTHOG_BATCH_MS / 1000} s for events that are on their way to PostHog.`);
    await wait(POSTHOG_BATCH_MS);
  }
  return uuids.length + lines;
}

const DELETE_BY_HAND =
  "PostHog's API deletes only the events of people with a profile, which this site's events do not make. Ask PostHog's support to delete the events with these values of distinct_id:";

const NOTHING_FOUND =
  'There is nothing of this visitor in the database, nor in the log files of this machine.';
/** What the command cannot delete, for the operator. */
const NOT_DELETED_LIST = `Not reached:
  - backups, exports, mails that were sent. After a restore, import the log of the days since the backup: it has a line for each click that was forgotten. If that log is gone, run this command again.
  - the server's standard output, in the system's journal or the container's log. It has no addresses.
  - logs of proxies.
  - a page that is still open. Its next clicks are kept.`;
const NOT_DELETED_LIST_OF_POSTGRES = `
  - archived WAL of PostgreSQL, and WAL on its standby, until it is overwritten.
  - the log files of other machines. Run this command once on each machine with a server.`;

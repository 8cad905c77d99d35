/**
 * `clicks replay`: sends clicks from the ledger to PostHog, for the time in which it was blocked, down or over its quota.
 * An event keeps the click's id, visitor and time, by which PostHog recognises repetitions. `sent_at` is left out, because
 * PostHog would correct the time with it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { LogIp } from '#contract/privacy.schema.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { isThisMachine } from '../server/check-privacy.ts';
import { eventFromLedger } from '../server/posthog/from-ledger.ts';
import { ledgerClicks } from './ledger-clicks.ts';
import { readTime, UsageError } from './usage-error.ts';

interface Options {
  key?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  'dry-run'?: boolean | undefined;
}

const BATCH = 500;
const TRIES = 5;
const TIMEOUT_MS = 30_000;

interface Destination {
  /** Origin of PostHog. */
  host: string;
  /** How much of an address the servers of these ledgers write. */
  logIp: LogIp;
  /** Folder of the built page. */
  distDir: string;
}

/**
 * Refuses a PostHog that the built page does not name. Without a build, as next to a copy of a ledger, there is no check.
 *
 * @throws an Error that says what to build
 */
function checkDestination(distDir: string, host: string): void {
  if (isThisMachine(host) || !existsSync(join(distDir, 'site.json'))) return;
  if (readBuiltSite(distDir).privacy.posthogHost === host) return;
  throw new Error(
    `The page does not tell visitors that PostHog at ${host} gets their clicks. Build it with VITE_POSTHOG_KEY and POSTHOG_HOST=${host} first.`,
  );
}

/**
 * Leaves robots out, as posthog-js does, and visitors who ask for privacy.
 *
 * @throws UsageError, or an Error when PostHog does not take the events
 */
export async function replay(
  paths: string[],
  { host, logIp, distDir }: Destination,
  options: Options,
  print: (text: string) => void,
): Promise<void> {
  const { key } = options;
  if (!key?.startsWith('phc_')) throw new UsageError('--key must be a PostHog project key, phc_…');
  const since = readTime('since', options.since) ?? Number.NEGATIVE_INFINITY;
  const until = readTime('until', options.until) ?? Number.POSITIVE_INFINITY;
  if (!options['dry-run']) checkDestination(distDir, host);
  let batch: object[] = [];
  let sent = 0;
  const leftOut = { robot: 0, private: 0, perhaps_private: 0, unknown_cta: 0 };
  const flush = async () => {
    if (batch.length > 0 && !options['dry-run']) await send(host, { api_key: key, batch });
    sent += batch.length;
    batch = [];
  };
  for await (const click of ledgerClicks(paths)) {
    const time = Date.parse(click.timestamp);
    if (time < since || time >= until) continue;
    const event = eventFromLedger(click, { logIp, posthogSendIp: false });
    if (typeof event === 'string') {
      leftOut[event] += 1;
      continue;
    }
    if (options['dry-run']) print(`${JSON.stringify(event)}\n`);
    batch.push(event);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  print(
    options['dry-run']
      ? `${sent} events would go to ${host}.\n`
      : `${sent} events are at ${host}.\n`,
  );
  if (leftOut.private > 0)
    print(`Left out: ${leftOut.private} clicks of visitors who ask for privacy.\n`);
  if (leftOut.perhaps_private > 0) {
    print(
      `Left out: ${leftOut.perhaps_private} older clicks without an address, whose visitors may have asked for privacy.\n`,
    );
  }
}

/** @throws after several attempts, or at once when PostHog refuses the batch */
async function send(host: string, message: object): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await post(`${host}/batch/`, message);
    if (failure === null) return;
    if (!failure.mayPass || attempt === TRIES)
      throw new Error(`${failure.reason}. Nothing is lost: run the command again.`);
    await wait(1000 * 2 ** attempt);
  }
}

async function post(url: string, message: object) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    if (answer.ok) return null;
    const mayPass = answer.status >= 500 || answer.status === 429;
    return { mayPass, reason: `${url} answered ${answer.status}` };
  } catch (error) {
    return { mayPass: true, reason: `${url} cannot be reached (${(error as Error).message})` };
  }
}

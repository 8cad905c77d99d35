/**
 * Walks over the site's public address each hour, and remembers each fault with its first and last
 * time. A step that fails is repeated three times within four minutes before its fault counts,
 * because single requests fail on every network. A file of the data folder has the faults, and when
 * the portal was last requested, so that a restart forgets neither.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { FAULT_KINDS, joinFaults, type SiteFault } from './site-fault.ts';
import { endsWalk, type Step } from './walk-site.ts';

const knownFaultSchema = z.object({
  id: z.string(),
  kind: z.enum(FAULT_KINDS),
  text: z.string(),
  /** Start of the first walk that met the fault, in milliseconds since 1970. */
  since: z.number(),
  /** Start of the first walk that did not meet it any more. null: the fault lasts. */
  until: z.number().nullable(),
  /**
   * Whether a mail may name the fault. False while perhaps only this server cannot reach the
   * address: people's clicks arrive, or the server has never reached the address, or the fault has
   * lasted for less than an hour.
   */
  isForMail: z.boolean(),
});
export type KnownFault = z.output<typeof knownFaultSchema>;

const stateSchema = z.object({
  /** Start of the last walk that requested the portal, in milliseconds since 1970. */
  portalAskedAt: z.number(),
  /** Whether a walk has ever got an answer from the address. */
  hasReached: z.boolean(),
  faults: z.array(knownFaultSchema),
});
type State = z.output<typeof stateSchema>;

interface SiteWatchParts {
  site: Pick<BuiltSite, 'siteUrl' | 'timeZone'>;
  /** Path of the file that has the state as JSON. */
  file: string;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  now: Clock;
  listSteps(asksPortal: boolean): Promise<Step[]>;
  /** Whether people's visits or clicks have arrived since a time. */
  hasVisitorsSince(since: number): Promise<boolean>;
}

/** A walk that goes on. */
interface Walk {
  startedAt: number;
  asksPortal: boolean;
  /** Steps that must still succeed: all of them, or those that have failed. */
  steps: Step[];
  /** How often all of the remaining steps have been tried. */
  attempts: number;
}

/** Pauses between the four attempts of a failed step. After the last one its fault counts. */
const RETRY_DELAYS_MS = [20 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS];
/** Pause before the first walk, because a proxy may not send requests to a new server yet. */
const AFTER_START_MS = MINUTE_MS;
/** How long a fault that is over is remembered, so that a mail can say that it is over. */
const KEPT_MS = 8 * DAY_MS;
/**
 * Age from which on a fault was met by two walks: all attempts of one walk take less, and the next
 * walk starts after an hour.
 */
const MET_BY_TWO_WALKS_MS = HOUR_MS / 2;

const NO_STATE: State = { portalAskedAt: 0, hasReached: false, faults: [] };

export type SiteWatch = ReturnType<typeof createSiteWatch>;

/** Creates the watch. A job calls `step` again and again. */
export function createSiteWatch(parts: SiteWatchParts) {
  const { site, file, log, now, listSteps } = parts;
  let state = readState(file);
  /** Whether a walk of this process has ended. */
  let hasWalked = false;
  let nextAt = now() + AFTER_START_MS;
  let walk: Walk | null = null;

  const lasting = (): KnownFault[] => state.faults.filter(({ until }) => until === null);

  const begin = async (): Promise<Walk> => {
    const startedAt = now();
    const asksPortal = startedAt - state.portalAskedAt >= HOUR_MS;
    const steps = await listSteps(asksPortal);
    if (asksPortal) state = { ...state, portalAskedAt: startedAt };
    save(file, state, log);
    return { startedAt, asksPortal, steps, attempts: 0 };
  };

  const end = async (found: SiteFault[], ended: Walk): Promise<void> => {
    hasWalked = true;
    const { startedAt } = ended;
    const faults: KnownFault[] = [];
    for (const fault of found) {
      const before = lasting().find(({ id }) => id === fault.id);
      const since = before?.since ?? startedAt;
      const knownFault = { ...fault, since, until: null, isForMail: true };
      faults.push(endsWalk(fault) ? await decideIsForMail(knownFault, state, parts) : knownFault);
      if (!before) log.warn(`The site's own walk: ${fault.text}`);
    }
    for (const fault of state.faults) {
      const isLasting = fault.until === null;
      if (isLasting && found.some(({ id }) => id === fault.id)) continue;
      const isOver = isLasting && wasLookedFor(fault, found, ended);
      if (isOver) log.info(`The site's own walk: over. ${fault.text}`);
      faults.push(isOver ? { ...fault, until: startedAt } : fault);
    }
    const kept = faults.filter(({ until }) => until === null || until > startedAt - KEPT_MS);
    const hasReached = state.hasReached || !found.some(endsWalk);
    state = { ...state, hasReached, faults: kept };
    save(file, state, log);
  };

  return {
    /** Begins a walk if one is due, or repeats the failed steps of the walk that goes on. */
    async step(signal: AbortSignal): Promise<void> {
      if (now() < nextAt) return;
      walk ??= await begin();
      const { faults, failed } = await runSteps(walk.steps, signal);
      if (signal.aborted) return;
      const retryDelayMs = RETRY_DELAYS_MS[walk.attempts];
      if (failed.length > 0 && retryDelayMs !== undefined) {
        walk = { ...walk, steps: failed, attempts: walk.attempts + 1 };
        nextAt = now() + retryDelayMs;
        return;
      }
      await end(joinFaults(faults), walk);
      nextAt = walk.startedAt + HOUR_MS;
      walk = null;
    },
    /**
     * Returns sentences for operators: `Since 14:05 the button leads to an error of the portal
     * (502).`
     */
    reasons: (): string[] =>
      lasting().map((fault) => describeSiteFault(fault, site.timeZone, now())),
    /** Returns the faults that last. */
    lasting,
    /**
     * Returns what mails report: the faults that last, and those that ended in the last eight days.
     * Null: this process has not ended a walk yet.
     */
    facts: (): KnownFault[] | null => (hasWalked ? state.faults : null),
  };
}

/**
 * Runs steps up to a fault that ends the walk. That step and all steps after it count as failed.
 */
async function runSteps(steps: readonly Step[], signal: AbortSignal) {
  const faults: SiteFault[] = [];
  const failed: Step[] = [];
  for (const [i, step] of steps.entries()) {
    const found = await step(signal);
    if (signal.aborted) break;
    if (found.some(endsWalk)) return { faults: found, failed: steps.slice(i) };
    faults.push(...found);
    if (found.length > 0) failed.push(step);
  }
  return { faults, failed };
}

/** Whether the walk has looked for a known fault, so that the fault is over if it was not met. */
function wasLookedFor({ id, kind }: KnownFault, found: SiteFault[], ended: Walk): boolean {
  // A walk that ended early has requested only the certificate and the address.
  if (found.some(endsWalk)) return endsWalk({ id });
  return kind !== 'portal' || ended.asksPortal;
}

/**
 * Decides whether mails may name a fault that ended the walk. They may not if only this server
 * cannot reach the site.
 */
async function decideIsForMail(
  fault: KnownFault,
  { hasReached }: State,
  parts: SiteWatchParts,
): Promise<KnownFault> {
  const { site, now, hasVisitorsSince } = parts;
  if (await hasVisitorsSince(fault.since)) {
    const text = `this server cannot reach ${site.siteUrl}, while people's visits arrive: ${fault.text}`;
    return { ...fault, isForMail: false, text: `${text}. The site is not looked at` };
  }
  // At night, minutes without a visitor prove nothing. At the second walk, an hour has passed.
  const isCertain = fault.kind === 'certificate' || now() - fault.since > MET_BY_TWO_WALKS_MS;
  return { ...fault, isForMail: hasReached && isCertain };
}

/** Writes a fault as a sentence with its times. @param now milliseconds since 1970 */
export function describeSiteFault(fault: KnownFault, timeZone: string, now: number): string {
  const { since, until, text } = fault;
  const from = timeOf(since, timeZone, now);
  return until === null
    ? `Since ${from} ${text}.`
    : `From ${from} to ${timeOf(until, timeZone, now)} ${text}.`;
}

/** Writes a time as `14:05`, or as `Nov 27, 14:05` if it is not on the day of `now`. */
function timeOf(at: number, timeZone: string, now: number): string {
  const format = (ms: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(ms);
  const time = format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const day = format(at, { month: 'short', day: 'numeric' });
  return day === format(now, { month: 'short', day: 'numeric' }) ? time : `${day}, ${time}`;
}

/** Reads the state. A missing or damaged file is an empty state. */
function readState(file: string): State {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return NO_STATE;
  }
}

/**
 * Writes the state to a new file that replaces the old one, so that no crash leaves half a file.
 */
function save(file: string, state: State, log: SiteWatchParts['log']): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  } catch (err) {
    log.debug({ err }, 'The faults of the site are not kept over a restart');
  }
}

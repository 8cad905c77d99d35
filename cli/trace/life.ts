/** One click's life, as steps in the order of time. Pure. */
import type { LogIp } from '#contract/privacy.schema.ts';
import type { Tombstone } from '../../server/clicks/ledger/tombstone.ts';
import { eventFromLedger, type LeftOut } from '../../server/posthog/from-ledger.ts';
import type { Receipt, Verdict } from '../../server/posthog/receipts.ts';
import type { FoundLine, Rejection, TracedLine } from './find-line.ts';

export interface Step {
  /** ISO 8601, UTC; null: the time is not known. */
  at: string | null;
  /** What had the click then. */
  place: 'browser' | 'server' | 'ledger' | 'index' | 'posthog';
  text: string;
}

export interface Evidence {
  found: FoundLine | null;
  /** The rest of a click that was forgotten. */
  tombstone: Tombstone | null;
  rejection: Rejection | null;
  /** Does the index know the id? Null: there is no index. */
  isIndexed: boolean | null;
  receipt: Receipt | null;
  /** Messages of places that could not be asked. */
  faults: { index?: string; receipts?: string };
  logIp: LogIp;
}

export function lifeOf(evidence: Evidence): Step[] {
  const { found, tombstone, rejection, isIndexed, faults } = evidence;
  const steps = found ? stepsOfLine(found) : [];
  if (rejection) steps.push(stepOfRejection(rejection));
  if (tombstone) steps.push(...stepsOfTombstone(tombstone));
  else if (!found && !rejection) steps.push({ at: null, place: 'ledger', text: NOT_IN_LEDGER });
  steps.push({
    at: null,
    place: 'index',
    text: faults.index ?? describeIndex(isIndexed, found !== null),
  });
  steps.push(posthogStep(evidence));
  return steps;
}

const stepsOfTombstone = ({ received_at, forgotten_at }: Tombstone): Step[] => [
  { at: received_at, place: 'server', text: 'received' },
  {
    at: forgotten_at,
    place: 'ledger',
    text: 'forgotten on request (clicks forget): only a tombstone stays',
  },
];

const NOT_IN_LEDGER =
  'has no line. The line was deleted by age, or is in the ledger of another server: name it with --ledger';

function stepsOfLine({ file, number, line }: FoundLine): Step[] {
  const steps: Step[] = [{ at: line.timestamp, place: 'browser', text: describeMaking(line) }];
  if (line.sent_at) {
    const kept = duration(Date.parse(line.sent_at) - Date.parse(line.timestamp));
    steps.push({ at: line.sent_at, place: 'browser', text: `sent, after ${kept} in the outbox` });
  }
  steps.push({ at: line.received_at, place: 'server', text: describeReception(line) });
  const written = line.time === undefined ? line.received_at : new Date(line.time).toISOString();
  steps.push({ at: written, place: 'ledger', text: `on the disk: ${file}, line ${number}` });
  return steps;
}

function describeMaking({ seq, visit_id }: TracedLine): string {
  const place = seq === undefined ? '' : `, as number ${seq} of its visit`;
  return `made, by the browser’s clock${visit_id ? place : ''}`;
}

function describeReception({ via, req_id, skew_ms }: TracedLine): string {
  const way = `received${via ? ` by ${via}` : ''}${req_id ? `, request ${req_id}` : ''}`;
  if (typeof skew_ms !== 'number') return way;
  const behind =
    skew_ms < 0 ? `the browser’s clock is ahead by at least ${duration(-skew_ms)}` : '';
  return `${way}; ${behind || `${duration(skew_ms)} after the sending, by both clocks`}`;
}

function stepOfRejection({ file, reason, receivedAt, fields }: Rejection): Step {
  const faults = Object.entries(fields).map(([name, message]) => `${name} ${message}`);
  const text = [`rejected for good (${reason}), kept in ${file}`, ...faults].join('; ');
  return { at: receivedAt, place: 'server', text };
}

function describeIndex(isIndexed: boolean | null, hasLine: boolean): string {
  if (isIndexed) return 'knows the id, so the click counts once';
  if (isIndexed === null) return 'does not exist yet. The server makes it from the ledger';
  return hasLine
    ? 'does not know the id. The server adds it when it reads the ledger again; or its month was dropped (CLICK_INDEX_MONTHS)'
    : 'does not know the id';
}

const VERDICTS: Record<Verdict, string> = {
  ok: 'took it',
  warning: 'took it with a warning',
  accepted: 'accepted its batch. This PostHog gives no verdict on single events',
  drop: 'dropped it for good',
  retry: 'has not taken it yet. The server tries again',
};

const LEFT_OUT: Record<LeftOut, string> = {
  robot: 'never gets it: a robot clicked',
  private: 'never gets it: the visitor asks for privacy',
  perhaps_private:
    'never gets it: an older line without an address, perhaps of a visitor who asked for privacy',
  unknown_cta: 'never gets it: this version does not know its call to action',
};

function posthogStep({ found, receipt, faults, logIp }: Evidence): Step {
  if (faults.receipts) return { at: null, place: 'posthog', text: faults.receipts };
  if (receipt) {
    const { verdict, detail, channel, protocol, attempts, at } = receipt;
    const ways = `${channel === 'browser' ? 'from the browser' : 'from the ledger'}, by ${protocol}`;
    const requests = attempts === 1 ? '1 request' : `${attempts} requests`;
    const text = `${VERDICTS[verdict]}${detail ? ` (${detail})` : ''}: ${ways}, ${requests}`;
    return { at, place: 'posthog', text };
  }
  const reason = found && leftOut(found.line, logIp);
  return {
    at: null,
    place: 'posthog',
    text: reason
      ? LEFT_OUT[reason]
      : 'has given no verdict. Without a receipt, the server sends a click about a minute later',
  };
}

function leftOut(line: TracedLine, logIp: LogIp): LeftOut | null {
  const click = { ...line, visit_id: line.visit_id ?? null };
  const event = eventFromLedger(click, { logIp, posthogSendIp: false });
  return typeof event === 'string' ? event : null;
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** `43 ms`, `1.2 s`, `3.5 hours`. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, least]) => ms >= least) ?? ['ms', 1];
  const value = ms / size;
  return `${unit === 'ms' ? Math.round(value) : Number(value.toFixed(1))} ${unit}`;
}

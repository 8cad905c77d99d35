/** Makes the client for PostHog's ingestion. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { isFinal } from '../receipts.ts';
import type {
  Capture,
  CaptureEvent,
  Outcome,
  SendOptions,
  SendResult,
  Trouble,
} from './capture.ts';
import { createExchange, type Exchange, type ExchangeSettings } from './exchange.ts';
import { uuidKey } from './round.ts';

export interface CaptureSettings extends Partial<ExchangeSettings> {
  /** Origin of PostHog's ingestion, such as `https://eu.i.posthog.com`. */
  host: string;
  /** The project's key, `phc_…`. */
  key: string;
  /** Waits that many milliseconds between two attempts. */
  wait?: (ms: number) => Promise<unknown>;
}

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** Upper bound for additional requests of one `send`, in case a server refuses every half of a batch. */
const MAX_SPLITS = 40;
const TIMEOUT_MS = 10_000;

export function createCapture({ host, key, wait = pause, ...settings }: CaptureSettings): Capture {
  const exchange = createExchange(host, key, {
    client: 'sma-data-drive-server/1',
    fetch,
    now: Date.now,
    newId: randomUUID,
    timeoutMs: TIMEOUT_MS,
    ...settings,
  });
  return {
    async send(events, options = {}) {
      const delivery: Delivery = { exchange, wait, options, splitsLeft: MAX_SPLITS };
      const [valid, invalid] = partition(events, ({ uuid }) => z.guid().safeParse(uuid).success);
      let result = refuse(invalid);
      // PostHog refuses a whole batch in which a UUID comes twice.
      for (let rest = valid; rest.length > 0; ) {
        const seen = new Set<string>();
        const [first, repeated] = partition(rest, ({ uuid }) => isNew(seen, uuidKey(uuid)));
        result = join(result, await deliver(delivery, first, 0));
        rest = repeated;
      }
      return { ...result, outcomes: events.map((event) => outcomeOf(result, event)) };
    },
  };
}

interface Delivery {
  exchange: Exchange;
  wait: (ms: number) => Promise<unknown>;
  options: SendOptions;
  splitsLeft: number;
}

type Outcomes = Map<CaptureEvent, Outcome>;
type Result = Omit<SendResult, 'outcomes'> & { outcomes: Outcomes };

/** @param carried requests that carried these events already */
async function deliver(
  delivery: Delivery,
  events: readonly CaptureEvent[],
  carried: number,
): Promise<Result> {
  const { exchange, wait, options } = delivery;
  const send = exchange.open(options);
  const outcomes: Outcomes = new Map();
  let pending = events;
  let attempts = carried;
  for (let attempt = 1; ; attempt += 1) {
    const { round, protocol, requests } = await send(pending, attempt);
    attempts += requests;
    if (round.hint === 'split' && pending.length > 1 && delivery.splitsLeft > 0) {
      const halves = await deliverHalves(delivery, pending, attempts);
      return { ...halves, outcomes: new Map([...outcomes, ...halves.outcomes]) };
    }
    for (const event of pending) {
      const { uuid, event: name } = event;
      outcomes.set(event, { uuid, event: name, ...round.judge(event), protocol, attempts });
    }
    pending = pending.filter((event) => !isFinal(round.judge(event).verdict));
    const { retryAfterMs, trouble } = round;
    const isLast = attempt >= (options.maxAttempts ?? 1) || !mayPass(trouble);
    if (pending.length === 0 || isLast) return { outcomes, retryAfterMs, trouble };
    await wait(Math.max(backoff(attempt), retryAfterMs ?? 0));
  }
}

/** Makes the request smaller, or finds the event that PostHog refuses. */
async function deliverHalves(
  delivery: Delivery,
  events: readonly CaptureEvent[],
  carried: number,
): Promise<Result> {
  delivery.splitsLeft -= 2;
  const middle = Math.ceil(events.length / 2);
  const first = await deliver(delivery, events.slice(0, middle), carried);
  const second = await deliver(delivery, events.slice(middle), carried);
  const both = join(first, second);
  // PostHog took one of the halves: the fault is in an event of the other, and not in the batch.
  const isOneEvent = both.trouble?.kind === 'refused' && !(first.trouble && second.trouble);
  return isOneEvent ? { ...both, trouble: null } : both;
}

const mayPass = (trouble: Trouble | null) =>
  trouble?.kind !== 'over_quota' && trouble?.kind !== 'refused';

/** A random time in the upper half of a limit, which doubles from one second to thirty. */
const backoff = (attempt: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS) * (0.5 + Math.random() / 2);

/** The results of two parts of a batch. */
const join = (a: Result, b: Result): Result => ({
  outcomes: new Map([...a.outcomes, ...b.outcomes]),
  retryAfterMs: b.retryAfterMs ?? a.retryAfterMs,
  trouble: b.trouble ?? a.trouble,
});

/** PostHog would refuse a whole batch because of an invalid UUID. */
function refuse(events: readonly CaptureEvent[]): Result {
  const judged = { verdict: 'drop', detail: 'invalid_event_uuid', protocol: 'v1' } as const;
  const outcomes = events.map(
    (event) => [event, { uuid: event.uuid, event: event.event, ...judged, attempts: 0 }] as const,
  );
  return { outcomes: new Map(outcomes), retryAfterMs: null, trouble: null };
}

function outcomeOf({ outcomes }: Result, event: CaptureEvent): Outcome {
  const outcome = outcomes.get(event);
  if (!outcome) throw new Error('An event has no outcome.');
  return outcome;
}

function partition<T>(list: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const { first = [], second = [] } = Object.groupBy(list, (item) =>
    isFirst(item) ? 'first' : 'second',
  );
  return [first, second];
}

/** Adds a value to a set. @returns whether it was new */
function isNew<T>(seen: Set<T>, value: T): boolean {
  const { size } = seen;
  return seen.add(value).size > size;
}

/** Chooses the protocol: Capture V1, or `/batch/` where PostHog's server has no V1. */
import type { Receipt } from '../receipts.ts';
import type { CaptureEvent, SendOptions } from './capture.ts';
import { type Fetch, postJson } from './post-json.ts';
import { failedRound, type Round } from './round.ts';
import { BATCH_PATH, batchBody, readBatchReply } from './send-batch.ts';
import { readV1Reply, V1_PATH, type V1Batch, v1Body, v1Headers } from './send-v1.ts';

/** After a 404, V1 is not tried for this time. Most commands are shorter; a server notices an upgrade of PostHog. */
const WITHOUT_V1_MS = 60 * 60 * 1000;

export interface ExchangeSettings {
  /** Name and version of this client, `name/version`. */
  client: string;
  fetch: Fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Makes a UUID. */
  newId: () => string;
  /** Upper bound for one answer: headers and body together. */
  timeoutMs: number;
}

export interface Exchanged {
  round: Round;
  protocol: Receipt['protocol'];
  /** Requests made: 2 if V1 was missing. */
  requests: number;
}

/** Sends one attempt of a batch. The first attempt is 1. */
type Attempt = (events: readonly CaptureEvent[], attempt: number) => Promise<Exchanged>;

export interface Exchange {
  /** Starts a batch, whose attempts share an id and a time. */
  open(options: SendOptions): Attempt;
}

/** @param host origin of PostHog's ingestion @param key the project's key */
export function createExchange(host: string, key: string, settings: ExchangeSettings): Exchange {
  const { client, now, newId } = settings;
  const line: Line = { ...settings, host, key };
  let v1From = 0;
  return {
    open({ historical = false, userAgent = client }) {
      const batch = { requestId: newId(), createdAt: new Date(now()).toISOString(), historical };
      return async (events, attempt) => {
        let requests = 1;
        if (now() >= v1From) {
          const round = await askV1(line, batch, { events, attempt, userAgent });
          if (round.hint !== 'not_served') return { round, protocol: 'v1', requests };
          requests += 1;
        }
        const round = await askBatch(line, batch, { events, userAgent });
        if (round.hint === 'not_served') v1From = 0;
        else if (requests === 2 && round.trouble === null) v1From = now() + WITHOUT_V1_MS;
        return { round, protocol: 'batch', requests };
      };
    },
  };
}

interface Line extends ExchangeSettings {
  host: string;
  key: string;
}

interface Message {
  events: readonly CaptureEvent[];
  userAgent: string;
}

async function askV1(
  { host, key, client, fetch, now, timeoutMs }: Line,
  batch: V1Batch,
  { events, userAgent, attempt }: Message & { attempt: number },
): Promise<Round> {
  const url = host + V1_PATH;
  const own = v1Headers(batch, { key, client, attempt, now: now() });
  const headers = { ...own, 'user-agent': userAgent };
  const reply = await postJson(fetch, url, { headers, body: v1Body(batch, events), timeoutMs });
  return readV1Reply(url, reply, events, now());
}

async function askBatch(
  { host, key, client, fetch, now, timeoutMs }: Line,
  { historical }: V1Batch,
  { events, userAgent }: Message,
): Promise<Round> {
  const url = host + BATCH_PATH;
  const headers = { 'user-agent': userAgent };
  const body = batchBody(key, client, events, historical);
  const reply = await postJson(fetch, url, { headers, body, timeoutMs });
  const round = readBatchReply(url, reply, events, now());
  return round.hint === 'not_served' ? notServed(host) : round;
}

const notServed = (host: string): Round =>
  failedRound(
    {
      kind: 'refused',
      detail: 'not_served',
      message: `${host} answered 404 on ${V1_PATH} and on ${BATCH_PATH}: is POSTHOG_HOST the ingestion host?`,
    },
    null,
    'not_served',
  );

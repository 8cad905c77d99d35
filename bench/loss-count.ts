/** Counts a condition's clicks in the ledger and at PostHog. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ArrivedEvent } from '../tests/helpers/fakes/posthog-capture/event-store.ts';
import type { Condition } from './loss-conditions.ts';
import type { MadeClick, Stage } from './loss-stage.ts';

export interface Counted {
  title: string;
  made: number;
  logged: number;
  /** Passed on by the proxy while the browser waited. */
  byBrowser: number;
  /** Sent by the server later. */
  byServer: number;
  lost: number;
  /** Events or lines beyond the first one of a click, after PostHog has merged repetitions. */
  double: number;
  /** Copies that PostHog merges. */
  repeated: number;
  /** Milliseconds from the click, or from the fault's end if it was later, to PostHog, of the slowest click. */
  slowestMs: number;
}

const POLL_MS = 250;
/** A repetition would arrive in this time. */
const SETTLED_MS = 2 * 60_000;

/** Waits until every click is at PostHog and two minutes are over, or the condition's limit. */
export async function count(stage: Stage, condition: Condition): Promise<Counted> {
  const last = Math.max(...stage.clicks.map((click) => startOf(stage, click)));
  const isOver = () => Date.now() > last + condition.withinMs;
  const isSettled = () => Date.now() > last + SETTLED_MS && missing(stage) === 0;
  while (!isOver() && !isSettled()) await wait(POLL_MS);
  return { title: condition.title, ...(await figures(stage)) };
}

async function figures(stage: Stage): Promise<Omit<Counted, 'title'>> {
  const { clicks, posthog, site } = stage;
  const refs = new Set(clicks.map(({ ref }) => ref));
  const lines = (await site.lines()).filter(({ referrer }) => refs.has(String(referrer)));
  const merged = clickEvents(posthog.merged()).filter(({ ref }) => refs.has(ref));
  const copies = clickEvents(posthog.events).filter(({ ref }) => refs.has(ref));
  const first = [...new Map(copies.toReversed().map((copy) => [copy.ref, copy])).values()];
  const ids = new Set(lines.map(({ id }) => id));
  const arrived = first.filter(({ event }) => ids.has(event.uuid));
  const byBrowser = arrived.filter(({ event }) => event.userAgent.startsWith('Mozilla')).length;
  const logged = new Set(lines.map(({ referrer }) => referrer)).size;
  const delays = clicks.map((click) => {
    const at = first.find(({ ref }) => ref === click.ref)?.event.at ?? Number.POSITIVE_INFINITY;
    return at - startOf(stage, click);
  });
  return {
    made: clicks.length,
    logged,
    byBrowser,
    byServer: arrived.length - byBrowser,
    lost: clicks.length - arrived.length,
    double: merged.length - first.length + lines.length - logged,
    repeated: copies.length - merged.length,
    slowestMs: Math.max(...delays),
  };
}

const startOf = ({ healedAt }: Stage, { at }: MadeClick) => Math.max(at, healedAt ?? 0);

function missing({ clicks, posthog }: Stage): number {
  const there = new Set(clickEvents(posthog.events).map(({ ref }) => ref));
  return clicks.filter(({ ref }) => !there.has(ref)).length;
}

/** PostHog's clicks, with the `ref` of their page. */
const clickEvents = (events: readonly ArrivedEvent[]) =>
  events
    .filter(({ event }) => event === 'cta_click')
    .map((event) => ({ event, ref: String(event.properties.referrer) }));

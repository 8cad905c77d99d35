/**
 * Delivers browsers' events: sends those that no server has sent, records PostHog's answers, and keeps in the database what
 * PostHog does not take. The forwarder sends it later.
 */
import { unavailable } from '../../http/http-error.ts';
import type { SendResult, Trouble } from '../capture/capture.ts';
import type { CompleteEvent } from '../complete-event.ts';
import type { Posthog } from '../open-posthog.ts';
import { isFinal } from '../receipts.ts';
import { WITHHELD_ADDRESS } from '../withhold-address.ts';

/** Upper bound for a server's sending of an event. */
const CLAIM_MS = 60_000;
/** Time after which the forwarder looks what became of an event that another server was sending. */
const HELD_MS = 2_000;
export const RETRY_AFTER_S = 10;

const channel = 'browser' as const;

export type Deliver = (events: CompleteEvent[], userAgent: string) => Promise<void>;

/**
 * @returns a function that resolves when every event is at PostHog, refused by it for good, or kept. It rejects with
 * HttpError 503 if an event is none of these
 */
export function createDelivery(posthog: Posthog): Deliver {
  const { state, capture, receipts, late, within, owner, mayKeep } = posthog;

  /** Without the database the event is sent, because a repetition is better than a loss. */
  const claim = async (events: CompleteEvent[]) => {
    const uuids = events.map(({ uuid }) => uuid);
    try {
      const granted = await within(() => receipts.claim(uuids, { owner, forMs: CLAIM_MS }));
      const others = events.filter(({ uuid }) => !granted.has(uuid));
      if (others.length === 0) return { mine: events, held: others };
      const known = await within(() => receipts.find(others.map(({ uuid }) => uuid)));
      const isOpen = ({ uuid }: CompleteEvent) => !isFinal(known.get(uuid)?.verdict ?? 'retry');
      return { mine: events.filter(({ uuid }) => granted.has(uuid)), held: others.filter(isOpen) };
    } catch (cause) {
      state.reportStore(cause);
      return { mine: events, held: [] };
    }
  };
  /** @returns whether the events are kept */
  const keep = async (events: CompleteEvent[], dueAt: number) => {
    if (events.length === 0) return true;
    try {
      if (!(await within(mayKeep))) return false;
      const waiting = events.map((event) => ({ event: atRest(event), channel, attempts: 0 }));
      await within(() => receipts.keep(waiting, new Date(dueAt)));
      return true;
    } catch (cause) {
      state.reportStore(cause);
      return false;
    }
  };

  return async (events, userAgent) => {
    // The forwarder finds out when the fault is over. A browser must not wait for it.
    if (state.isFailing() && (await keep(events, Date.now()))) return;
    const { mine, held } = await claim(events);
    const result = await send(mine, userAgent);
    const left = result ? openEvents(mine, result) : [];
    const areKept = (await keep(left, Date.now())) && (await keep(held, Date.now() + HELD_MS));
    if (!areKept) throw refusal(result?.trouble ?? null);
  };

  async function send(events: CompleteEvent[], userAgent: string): Promise<SendResult | null> {
    if (events.length === 0) return null;
    const result = await capture.send(events, { userAgent });
    state.report(result.trouble);
    const at = new Date().toISOString();
    const fault = await late.record(result.outcomes.map((one) => ({ ...one, channel, at })));
    if (fault !== null) state.reportStore(fault);
    return result;
  }
}

const openEvents = (events: CompleteEvent[], { outcomes }: SendResult) =>
  events.filter((_event, i) => !isFinal(outcomes[i]?.verdict ?? 'retry'));

/** The database keeps no address of a visitor. */
const atRest = (event: CompleteEvent): CompleteEvent => ({
  ...event,
  properties: { ...event.properties, ...WITHHELD_ADDRESS },
});

const refusal = (trouble: Trouble | null) =>
  unavailable(
    'PostHog cannot take events just now.',
    RETRY_AFTER_S,
    trouble && new Error(trouble.message),
  );

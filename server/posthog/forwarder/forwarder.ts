/**
 * Completes PostHog: sends every click of the ledger that PostHog has not confirmed after a minute, and the events that it did
 * not take from the proxy.
 */
import { forwardLedger, type LedgerParts } from './forward-ledger.ts';
import { forwardWaiting } from './forward-waiting.ts';
import { createSender } from './sender.ts';

export interface Forwarder {
  /** Waits a moment for the request under way. The next process sends its events again. */
  stop(): Promise<void>;
}

export interface ForwarderParts extends LedgerParts {
  /** Writes receipts that could not be written before. */
  flush(): Promise<void>;
}

/** Starts a loop that ends with `stop`. */
export function startForwarder(parts: ForwarderParts): Forwarder {
  const { store, state, owner, pace } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sender = createSender(parts, signal);
  let restarted = true;

  const pass = async () => {
    // An earlier process of this server may have died while it sent these events.
    if (restarted) await store.abandon(owner);
    restarted = false;
    await parts.flush();
    await forwardWaiting(parts, sender);
    await forwardLedger(parts, sender);
    state.reportStore(null);
  };
  const run = async () => {
    while (!signal.aborted) {
      await pass().catch((cause) => {
        if (!signal.aborted && !isGone(cause)) state.reportStore(cause);
      });
      await sender.sleep(pace.pollMs).catch(() => {});
    }
  };
  const running = run();

  return {
    async stop() {
      stopping.abort();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, pace.lastRequestMs);
      await Promise.race([running, late]);
      clearTimeout(limit);
    },
  };
}

/** A file of the ledger was renamed or packed meanwhile. */
const isGone = (cause: unknown) => (cause as { code?: unknown }).code === 'ENOENT';

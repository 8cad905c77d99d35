/** The part of `clicks forget` for the stream of STREAM_URL. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FoundClick, Wanted } from '../../server/clicks/forget/wanted.ts';
import type { StreamForgetter } from '../../server/clicks/stream/forget-in-stream.ts';
import type { Config } from '../../server/config.ts';

/** A server may still send a line that it read before the ledger was changed. One attempt takes 5 s. */
const SETTLE_MS = 6_000;

/** @returns null without STREAM_URL @throws (rejects) an Error that says what to do */
export async function openStreamIfAny({
  stream,
}: Pick<Config, 'stream'>): Promise<StreamForgetter | null> {
  if (!stream) return null;
  const { openStreamForgetter } = await import('../../server/clicks/stream/forget-in-stream.ts');
  try {
    return await openStreamForgetter(stream.address);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `The stream at ${stream.address.servers.join(', ')} does not answer: ${message}. Nothing was forgotten. Run the command again ` +
        'when it answers.',
    );
  }
}

export interface ForgottenInStream {
  /** By id. */
  clicks: Map<string, FoundClick>;
  /** UUIDs of the ledgers whose lines they are. */
  ledgers: Set<string>;
}

/**
 * Replaces the visitor's lines in the stream, once the ledgers have none of them.
 *
 * @param now ISO 8601
 * @throws (rejects) an Error that says what to do
 */
export async function forgetStreamed(
  stream: StreamForgetter,
  wanted: Wanted,
  now: string,
): Promise<ForgottenInStream> {
  const forgotten: ForgottenInStream = { clicks: new Map(), ledgers: new Set() };
  const settled = performance.now() + SETTLE_MS;
  try {
    for (let after = 0; ; ) {
      const isLast = performance.now() >= settled;
      const { clicks, last } = await stream.find(wanted, after);
      await stream.bury(clicks, now);
      for (const { click, ledgerId } of clicks) {
        forgotten.clicks.set(click.id, click);
        forgotten.ledgers.add(ledgerId);
      }
      if (isLast) return forgotten;
      after = last;
      await wait(Math.max(0, settled - performance.now()));
    }
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `The stream still has clicks of this visitor, because it does not answer: ${message}. Run the same command again.`,
    );
  }
}

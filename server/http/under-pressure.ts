/**
 * Answers each request of its scope with 503 while the event loop is late. It is for clicks and events, because browsers keep
 * them and send them again. Pages are outside of the scope and still answer.
 */
import underPressurePlugin from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { unavailable } from './http-error.ts';

/** Twice the longest delay that clicks alone caused on a tenth of a core. */
const MAX_EVENT_LOOP_DELAY_MS = 1000;
const RETRY_AFTER_S = 5;

/** One error for all refusals, because each new one would collect a stack. */
const OVERLOADED = unavailable('The server is overloaded. Send it again.', RETRY_AFTER_S);

/** @param maxEventLoopDelay milliseconds; 0: never refuses */
export async function underPressure(
  app: FastifyInstance,
  maxEventLoopDelay = MAX_EVENT_LOOP_DELAY_MS,
): Promise<void> {
  await app.register(underPressurePlugin, {
    maxEventLoopDelay,
    pressureHandler: async (_request, _reply, _type, delayMs) => {
      // The plugin says Infinity after a second without a sample: one long pause, after which only the waiting requests are left.
      if (delayMs !== Number.POSITIVE_INFINITY) throw OVERLOADED;
    },
  });
}

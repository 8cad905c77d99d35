/** Recognises robots by their user agent. */
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { MAX_USER_AGENT } from '#contract/limits.ts';

/**
 * Upper bound for the cached results. The pattern is slow, and visitors have few different user
 * agents.
 */
const MAX_REMEMBERED = 2000;
const cache = new Map<string, boolean>();

/** Returns the User-Agent header, cut to its upper bound. Empty: there is none. */
export const userAgentOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);

/**
 * Finds the device's model in the user agent of an Android browser. Its maker chooses the name,
 * such as `M bot 60`, so it says nothing about robots. Robots name themselves elsewhere.
 */
const ANDROID_MODEL = /(; Android [\d.]+;(?: [a-z]{2}[-_][a-z]{2};)?) [^;)]+/i;

/**
 * Whether a user agent belongs to a known robot.
 *
 * @param userAgent what the page sent
 * @param header the request's own header
 */
export const isBot = (userAgent: string, header: string): boolean =>
  isKnownBot(userAgent) || (header !== userAgent && isKnownBot(header));

function isKnownBot(userAgent: string): boolean {
  let answer = cache.get(userAgent);
  if (answer === undefined) {
    answer = isbot(userAgent.replace(ANDROID_MODEL, '$1 K'));
    if (cache.size >= MAX_REMEMBERED) cache.clear();
    cache.set(userAgent, answer);
  }
  return answer;
}

/** Recognises robots by their user agent. */
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { MAX_USER_AGENT } from '#contract/limits.ts';

/**
 * Upper bound of remembered answers. The pattern is long, and visitors have few different user
 * agents.
 */
const MAX_REMEMBERED = 2000;
const known = new Map<string, boolean>();

export const userAgentOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);

/**
 * The model of a phone, tablet or television in the user agent of Android's browsers. Its maker
 * chooses the name, such as `M bot 60`. Robots name themselves elsewhere in the user agent.
 */
const ANDROID_MODEL = /(; Android [\d.]+;(?: [a-z]{2}[-_][a-z]{2};)?) [^;)]+/i;

/** Whether the user agent from the page or from the request's header belongs to a known robot. */
export const isBot = (userAgent: string, header: string): boolean =>
  isKnownBot(userAgent) || (header !== userAgent && isKnownBot(header));

function isKnownBot(userAgent: string): boolean {
  let answer = known.get(userAgent);
  if (answer === undefined) {
    answer = isbot(userAgent.replace(ANDROID_MODEL, '$1 K'));
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(userAgent, answer);
  }
  return answer;
}

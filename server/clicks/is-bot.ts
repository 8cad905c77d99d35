/** Recognises robots by their user agent. The server flags their clicks and never drops them. */
import { isbot } from 'isbot';

/** Upper bound of remembered answers. The pattern is long, and visitors have few different user agents. */
const CACHED = 2000;
const known = new Map<string, boolean>();

/** True if the user agent from the page or from the request's header belongs to a known robot. */
export function isBot(userAgent: string, header: string): boolean {
  return lookUp(userAgent) || (header !== userAgent && lookUp(header));
}

function lookUp(userAgent: string): boolean {
  let answer = known.get(userAgent);
  if (answer === undefined) {
    answer = isbot(userAgent);
    if (known.size >= CACHED) known.clear();
    known.set(userAgent, answer);
  }
  return answer;
}

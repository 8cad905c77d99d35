/** Is a robot behind it? Robots are flagged, never dropped. */
import { isbot } from 'isbot';

/** The pattern is long and user agents are few: remember the answers, for a bounded number of them. */
const CACHED = 2000;
const known = new Map<string, boolean>();

/** True when what the page says of its browser, or the request's own header, is a known robot's. */
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

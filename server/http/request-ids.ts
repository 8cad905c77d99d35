/** Makes the ids of requests, which connect the lines of the log. */
import { randomBytes } from 'node:crypto';

/**
 * Makes ids that are unique across restarts, without a random number per request. They have at most twelve characters for the
 * first 60 million requests, because V8 keeps longer joined strings in pieces, and JSON.stringify then takes four times as long.
 */
export function makeRequestIds(): () => string {
  const prefix = `${randomBytes(3).toString('hex')}-`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(36);
  };
}

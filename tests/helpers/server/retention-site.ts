/** A server whose retention a test runs, hour by hour. */
import { DAY_MS, HOUR_MS } from '../../../server/time.ts';
import { type Site, startApp } from './server-app.ts';

/** Returns the clock of a server's time since its start, which begins at 0. */
export function runningFor() {
  let hours = 0;
  return {
    uptime: () => hours * HOUR_MS,
    /** Sets the number of hours since the start. */
    set: (since: number) => {
      hours = since;
    },
  };
}

/** Returns the time of so many days ago, in milliseconds since 1970. */
export const agoMs = (days: number) => Date.now() - days * DAY_MS;

/** Starts a server that has run for an hour, after which it may delete. */
export async function startForLong(options: Parameters<typeof startApp>[0]) {
  const running = runningFor();
  const site = await startApp({ jobs: [], ...options, uptime: running.uptime });
  running.set(1);
  return { ...site, running };
}

/** Runs the job of retention until no more work is due. */
export async function runRetention(site: Pick<Site, 'step'>): Promise<void> {
  while (await site.step('retention'));
}

/** Returns the messages of the log about what was deleted. */
export const deletedMessages = (site: Pick<Site, 'logged'>) =>
  site.logged().flatMap(({ msg }) => (/^Deleted/.test(`${msg}`) ? [msg] : []));

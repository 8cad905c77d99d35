/** The server's hourly work for the dashboard at PostHog: the completeness tile, and marks of outages. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Management } from '../management/management-api.ts';
import { markOnCharts } from './mark-on-charts.ts';
import type { Mark } from './marks.ts';
import { refreshTile, type TileParts } from './refresh-tile.ts';

export interface DashboardUpkeep {
  /** Makes the mark at the next occasion. Never throws. */
  mark(mark: Mark): void;
  /** Does the work that is due now. Never throws. */
  run(): Promise<void>;
  /** Does not wait for work under way. */
  stop(): void;
}

const HOUR_MS = 60 * 60 * 1000;
/** After the start, when the server has caught up with its ledger. */
const FIRST_MS = 2 * 60 * 1000;
/** Marks wait in memory while PostHog cannot be reached. */
const MOST_MARKS = 20;

interface Parts extends TileParts {
  api: Management;
  log: Pick<Logger, 'warn' | 'info'>;
}

export function startDashboardUpkeep({ api, log, ...tile }: Parts): DashboardUpkeep {
  const end = new AbortController();
  const marks: Mark[] = [];
  let fault = '';

  /** Logs a fault when it begins or changes, and its end. */
  function report(next: string): void {
    // The receipts may be closed by now, which is not a fault.
    if (end.signal.aborted) return;
    if (next && next !== fault) log.warn(next);
    if (!next && fault) log.info('The dashboard at PostHog is kept up to date again');
    fault = next;
  }

  async function refresh(): Promise<string> {
    return (await refreshTile(api, tile)) === 'missing' ? NO_DASHBOARD : '';
  }

  async function makeMarks(): Promise<string> {
    for (const mark of marks.slice()) {
      await markOnCharts(api, mark);
      marks.splice(marks.indexOf(mark), 1);
    }
    return '';
  }

  async function run(): Promise<void> {
    // A key without the scope of one still does the other.
    const faults = [await refresh().catch(describe), await makeMarks().catch(describe)];
    report(faults.filter((it) => it !== '').join(' '));
  }

  void repeat(run, end.signal);
  return {
    mark(mark) {
      if (marks.length < MOST_MARKS) marks.push(mark);
    },
    run,
    stop: () => end.abort(),
  };
}

const describe = (error: Error): string =>
  `The dashboard at PostHog is not kept up to date. ${error.message}`;

const NO_DASHBOARD =
  'POSTHOG_PERSONAL_KEY is set, but PostHog has no dashboard of ours. Run `npm run posthog:provision -- apply`.';

async function repeat(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    for (let wait = FIRST_MS; ; wait = HOUR_MS) {
      await sleep(wait, undefined, { signal, ref: false });
      await run();
    }
  } catch (error) {
    // Only the end of the wait throws.
    if (!signal.aborted) throw error;
  }
}

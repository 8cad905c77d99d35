/** The text tile that says whether PostHog has every click of the log. The server writes it anew every hour. */

/** Clicks since a day, each in exactly one of the groups; `log` is their sum. */
export interface CompletenessFigures {
  /** Lines of the log, each click once. */
  log: number;
  /** Clicks that PostHog has. */
  posthog: number;
  /** Where `posthog` comes from: PostHog's own count, or its receipts. */
  source: 'count' | 'receipts';
  /** The visitor asked for privacy: PostHog never gets them. */
  private: number;
  robots: number;
  /** Not yet confirmed: the server goes on sending. */
  waiting: number;
  /** Refused by PostHog for good, by its reason. */
  dropped: { reason: string; clicks: number }[];
  /** Without any explanation. Above 0 something is wrong. */
  unknown: number;
  /** First day, as 2026-01-31 (UTC); null: since the log began. */
  since: string | null;
}

/** The first line, by which the tile is found. */
export const COMPLETENESS_START = '### Is every click at PostHog?';

/** The tile's text before the server has written it. */
export const NO_FIGURES = `${COMPLETENESS_START}

No figures yet. The server writes them here every hour when it has POSTHOG_PERSONAL_KEY and POSTHOG_PROJECT_ID.`;

const AS_OF = /as of (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/;

/** @param now milliseconds since 1970 @returns Markdown, below 4,000 characters */
export function completenessText(figures: CompletenessFigures, now: number): string {
  return [
    COMPLETENESS_START,
    `**${summary(figures)}** · as of ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    verdict(figures),
  ].join('\n\n');
}

/** @returns milliseconds since 1970, to the minute; null: the text has no figures yet */
export function asOf(text: string): number | null {
  const [, day, time] = AS_OF.exec(text) ?? [];
  return day ? Date.parse(`${day}T${time}Z`) : null;
}

function summary(figures: CompletenessFigures): string {
  const groups: [number, string][] = [
    [figures.private, 'private'],
    [figures.robots, 'from robots'],
    [figures.waiting, 'waiting'],
    ...figures.dropped.map(({ reason, clicks }): [number, string] => [clicks, wordsOf(reason)]),
    [figures.unknown, 'unexplained'],
  ];
  const named = groups.filter(([clicks]) => clicks > 0).map(([n, word]) => `${count(n)} ${word}`);
  const since = figures.since ? ` since ${figures.since}` : '';
  const totals = `log ${count(figures.log)} · PostHog ${count(figures.posthog)}${since}`;
  return named.length > 0 ? `${totals} · ${named.join(', ')}` : totals;
}

function verdict({ unknown, waiting, source }: CompletenessFigures): string {
  const basis =
    source === 'count' ? "PostHog's own count." : "PostHog's receipts, not its own count.";
  if (unknown > 0)
    return `${basis} Some clicks are unexplained: run \`npm run clicks -- reconcile\`.`;
  if (waiting > 0) return `${basis} The server goes on sending the waiting clicks.`;
  return `${basis} Every difference has its reason.`;
}

const LONGEST_REASON = 40;

/** PostHog's tag in words. Only letters and digits of an unknown one, because the tile is Markdown. */
function wordsOf(reason: string): string {
  if (reason === 'billing_limit_exceeded') return 'over quota';
  const words = reason.match(/[a-z0-9]+/gi) ?? [];
  return `dropped (${words.join(' ').slice(0, LONGEST_REASON)})`;
}

const count = (n: number): string => n.toLocaleString('en-US');

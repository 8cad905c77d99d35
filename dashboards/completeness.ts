/** The text tile that says whether PostHog has every click of the log. The server writes it every hour. */

/** Clicks of some days, each in exactly one of the groups. */
export interface CompletenessFigures {
  /** Clicks in the log. */
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
  /** Over the quota, refused, or never sent, by reason. */
  others: { reason: string; clicks: number }[];
  /** Confirmed by PostHog and not in its own count, or without any record. Above 0 something is wrong. */
  unknown: number;
  /** The first day, as 2026-01-31 (UTC); null: since the log began. */
  since: string | null;
}

/** The first line, by which the tile is found. */
export const COMPLETENESS_START = '### Is every click at PostHog?';

/** The tile's text before the server has written it. */
export const NO_FIGURES = `${COMPLETENESS_START}

No figures yet. The server writes them here every hour when it has POSTHOG_PERSONAL_KEY and POSTHOG_PROJECT_ID.`;

/**
 * @param now milliseconds since 1970
 * @param server name of one of several servers, each with its own log; null: there is one
 * @returns one paragraph of Markdown
 */
export function completenessText(
  figures: CompletenessFigures,
  now: number,
  server: string | null = null,
): string {
  const asOf = `as of ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${prefixOf(server)}**${summary(figures)}** · ${asOf}. ${verdict(figures)}`;
}

/** @returns the tile's text with a server's paragraph, after those of the other servers */
export function withParagraph(body: string, paragraph: string, server: string | null): string {
  const others = server === null ? [] : paragraphsOf(body).filter((it) => isOthers(it, server));
  return [COMPLETENESS_START, ...[...others, paragraph].sort()].join('\n\n');
}

/** Gone servers leave their paragraph behind. */
const MOST_PARAGRAPHS = 10;

const paragraphsOf = (body: string): string[] =>
  body.split('\n\n').slice(1).filter(isServers).slice(-MOST_PARAGRAPHS);

const isServers = (paragraph: string): boolean => paragraph.startsWith('Server ');
const isOthers = (paragraph: string, server: string): boolean =>
  !paragraph.startsWith(prefixOf(server));
const prefixOf = (server: string | null): string => (server === null ? '' : `Server ${server}: `);

/** @returns when a server wrote its paragraph, in milliseconds since 1970, to the minute; null: it has none */
export function asOf(body: string, server: string | null): number | null {
  const own = server === null ? body : paragraphsOf(body).find((it) => !isOthers(it, server));
  const [, day, time] = /as of (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/.exec(own ?? '') ?? [];
  return day ? Date.parse(`${day}T${time}Z`) : null;
}

function summary(figures: CompletenessFigures): string {
  const groups: [number, string][] = [
    [figures.private, 'private'],
    [figures.robots, 'from robots'],
    [figures.waiting, 'waiting'],
    ...figures.others.map(({ reason, clicks }): [number, string] => [clicks, wordsOf(reason)]),
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
    return `${basis} Some clicks are unexplained: run \`npm run clicks -- reconcile --list\`.`;
  if (waiting > 0) return `${basis} The server goes on sending the waiting clicks.`;
  return `${basis} Every difference has its reason.`;
}

const WORDS: Record<string, string> = {
  billing_limit_exceeded: 'over quota',
  perhaps_private: 'older and perhaps private',
  unknown_cta: 'of a button that this server does not know',
};
const LONGEST_REASON = 40;

/** PostHog's tag in words. Only letters and digits of an unknown one, because the tile is Markdown. */
function wordsOf(reason: string): string {
  const words = reason.match(/[a-z0-9]+/gi) ?? [];
  return WORDS[reason] ?? `dropped (${words.join(' ').slice(0, LONGEST_REASON)})`;
}

const count = (n: number): string => n.toLocaleString('en-US');

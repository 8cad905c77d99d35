/** Judges a night: is a click missing in one place, or counted twice? */
import type { Evidence, Journey } from './journey.ts';

export interface Mail {
  email: string;
  /** Number of mails to this address. */
  mails: number;
}

export interface Verdict {
  clicks: number;
  /** Ids that a ledger, the index or PostHog lacks, each with the place. */
  lost: string[];
  /** Ids that a ledger has twice, the index counts twice, or PostHog counts twice. */
  twice: string[];
  /** Clicks with a line in two ledgers, because nginx asked a second server. The index counts each once. */
  inTwoLedgers: number;
  /** Events that the browser did not bring to PostHog, and the server did. */
  completed: number;
  registrations: number;
  mailsLost: string[];
  mailsTwice: string[];
}

export function judge(
  journeys: readonly Journey[],
  { ledgers, counted }: Pick<Evidence, 'ledgers' | 'counted'>,
  mails: readonly Mail[],
): Verdict {
  const perLedger = ledgers.map((ids) => repeated(ids));
  const surplus = counted - journeys.filter(({ indexedAt }) => indexedAt !== null).length;
  return {
    clicks: journeys.length,
    lost: journeys.flatMap((journey) => lacks(journey).map((place) => `${journey.id}: ${place}`)),
    twice: [
      ...perLedger.flatMap((ids, i) => ids.map((id) => `${id}: ledger ${i + 1}`)),
      ...(surplus > 0 ? [`${surplus} clicks more in the counters of the index than clicks`] : []),
      ...journeys.filter(({ atPosthog }) => atPosthog.length > 1).map(({ id }) => `${id}: PostHog`),
    ],
    inTwoLedgers: journeys.filter((journey) => new Set(journey.ledgers).size > 1).length,
    completed: journeys.filter(({ atPosthog }) => atPosthog[0]?.by === 'server').length,
    registrations: mails.length,
    mailsLost: mails.filter((mail) => mail.mails === 0).map(({ email }) => email),
    mailsTwice: mails.filter((mail) => mail.mails > 1).map(({ email }) => email),
  };
}

export const isClean = ({ lost, twice, mailsLost, mailsTwice }: Verdict): boolean =>
  [lost, twice, mailsLost, mailsTwice].every((list) => list.length === 0);

function lacks({ ledgers, indexedAt, atPosthog, confirmedAt }: Journey): string[] {
  return [
    ...(confirmedAt === null ? ['never confirmed to the browser'] : []),
    ...(ledgers.length === 0 ? ['in no ledger'] : []),
    ...(indexedAt === null ? ['not in the index'] : []),
    ...(atPosthog.length === 0 ? ['not at PostHog'] : []),
  ];
}

function repeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.has(id) || !seen.add(id));
}

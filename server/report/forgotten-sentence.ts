/** Says how many clicks `clicks forget` has removed, because the statistics still have them (docs/decisions/025-forgetting-a-visitor.md). */
import type { DeletionNote } from '../clicks/retention/deleted-clicks.ts';
import type { Scope } from './report.ts';
import { SMALLEST_SHOWN } from './suppress.ts';

interface Options extends Pick<Scope, 'since' | 'until'> {
  isShared: boolean;
}

/** @param notes of all data folders @returns one sentence, or none if no click of the period was forgotten */
export function forgottenSentence(
  notes: readonly DeletionNote[],
  { since, until, isShared }: Options,
): string[] {
  const forgotten = notes.filter(
    ({ reason, clicks, oldest, newest }) =>
      reason === 'forgotten' &&
      clicks > 0 &&
      Date.parse(newest) >= since &&
      Date.parse(oldest) < until,
  );
  if (forgotten.length === 0) return [];
  const clicks = forgotten.reduce((sum, note) => sum + note.clicks, 0);
  const days = forgotten.flatMap(({ oldest, newest }) => [oldest, newest]).sort();
  const [first, last] = [days[0], days.at(-1)].map((time) => time?.slice(0, 10));
  const isSmall = isShared && clicks < SMALLEST_SHOWN;
  const number = isSmall ? `Fewer than ${SMALLEST_SHOWN} clicks` : `${clicks} clicks`;
  return [
    `${number} of ${first === last ? first : `${first} to ${last}`} were forgotten on request (clicks forget), so they are ` +
      'not in this report. The number on the page still has them.',
  ];
}

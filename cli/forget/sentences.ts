/** What `clicks forget` says. */
import type { FoundClick, Wanted } from '../../server/clicks/forget/wanted.ts';
import type { Survey } from './survey.ts';

export interface Result {
  clicks: ReadonlyMap<string, FoundClick>;
  /** Number of ledger files that were changed. */
  files: number;
  rejectedBodies: number;
}

/** What a dry run would forget. */
export function describeSurvey(survey: Survey, wanted: Wanted): string {
  const { clicks, visits } = survey;
  if (clicks.size === 0) return `${describeNothing(survey, wanted)}Nothing was changed.\n`;
  const days = [...clicks.values()].map(({ received_at }) => received_at.slice(0, 10)).sort();
  return (
    `${describeClicks(clicks)} of ${visits.size} visits, from ${days[0]} to ${days.at(-1)}, would be forgotten. ` +
    `Nothing was changed.\n${SHARED_ADDRESS(wanted)}`
  );
}

export function describeForgotten(result: Result, wanted: Wanted, survey: Survey): string {
  const { clicks, files, rejectedBodies } = result;
  const bodies = `${rejectedBodies} rejected bodies were removed.\n`;
  if (clicks.size === 0)
    return describeNothing(survey, wanted) + (rejectedBodies > 0 ? bodies : '');
  return (
    `Forgot ${describeClicks(clicks)}, in ${files} files. ${bodies}` +
    'The ledger keeps their ids, events and days: a browser that repeats one gets "duplicate", and the statistics stay. ' +
    'Reports no longer have them.\n'
  );
}

function describeNothing({ truncated }: Survey, { address }: Wanted): string {
  const none =
    'These ledgers have no click of this visitor. Other servers have ledgers of their own: name them with --ledger.\n';
  if (truncated === null) return none;
  return (
    `${none}${truncated.clicks} clicks have the address ${truncated.address}, because LOG_IP=truncated shortens ${address} and its ` +
    `neighbours to it. They are of many people. --ip ${truncated.address} forgets them all.\n`
  );
}

function describeClicks(clicks: Result['clicks']): string {
  const robots = [...clicks.values()].filter(({ is_bot }) => is_bot).length;
  return `${clicks.size} clicks${robots > 0 ? ` (${robots} of robots)` : ''}`;
}

const SHARED_ADDRESS = ({ address }: Wanted): string =>
  address === null
    ? ''
    : 'Several people may share an address: a family, a clinic, a mobile network.\n';

/** Copies that this command cannot reach. */
export const LIMITS = `What this command cannot do:
  - Backups, exports, reports and lines that were copied elsewhere still have the clicks. After a restore, run it again.
  - Standard output had a copy of each line: delete it from the system's journal or the container's log.
  - nginx has request lines with addresses if its access log is on.
  - The disk may keep overwritten bytes: snapshots, copy-on-write file systems, flash memory.
  - A page that is still open can send further clicks of the visit. Run it again later.
`;

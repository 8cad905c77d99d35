/** Sentences for operators about what is wrong while clicks are kept. */
import { ageS, type Figures } from './figures.ts';

/** The alerts of deploy/prometheus have the same bounds. */
const BEHIND_S = 30 * 60;
const LOW_BYTES = 1024 ** 3;

export function reasonsOf({ posthog, mails, freeBytes }: Figures): (string | null)[] {
  return [
    posthog && describePosthog(posthog),
    mails && describeMails(mails),
    freeBytes !== null && freeBytes < LOW_BYTES
      ? `The disk of DATA_DIR has ${Math.floor(freeBytes / 1024 ** 2)} MB left. Free some space.`
      : null,
  ];
}

function describePosthog({ fault, waiting, oldestAt }: NonNullable<Figures['posthog']>) {
  const isBehind = ageS(oldestAt) > BEHIND_S;
  if (fault === null && !isBehind) return null;
  const age = isBehind ? `, the oldest for ${minutesSince(oldestAt)} minutes` : '';
  return `PostHog is behind. Events wait: ${waiting}${age}.${fault ? ` ${fault}` : ''}`;
}

function describeMails({ waiting, oldestAt }: NonNullable<Figures['mails']>) {
  if (ageS(oldestAt) <= BEHIND_S) return null;
  return `Mails wait: ${waiting}, the oldest for ${minutesSince(oldestAt)} minutes. The log says why.`;
}

const minutesSince = (at: number | null) => Math.floor(ageS(at) / 60);

/** Figures that are read when an operator or Prometheus asks, and sentences about those that are wrong while clicks are kept. */
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { PosthogState } from '../posthog/sender.ts';
import type { MailBacklog } from '../registrations/store-registrations.ts';

/** A source that does not answer costs its own figures alone. */
const PATIENCE_MS = 1000;
/** The alerts of deploy/prometheus have the same bounds. */
const BEHIND_S = 30 * 60;
const LOW_BYTES = 1024 ** 3;

/** A figure is null where it could not be read. The failing part logs its failure itself. */
export type Figures = Awaited<ReturnType<typeof readFigures>>;

export async function readFigures(
  posthogState: Promise<PosthogState> | null,
  mailBacklog: Promise<MailBacklog>,
  free: Promise<number>,
) {
  const [posthog, mails, freeBytes] = await Promise.all([
    posthogState && orNull(posthogState),
    orNull(mailBacklog),
    orNull(free),
  ]);
  return { posthog, mails, freeBytes };
}

const orNull = <T>(figure: Promise<T>): Promise<T | null> =>
  Promise.race([figure, delay(PATIENCE_MS, null, { ref: false })]).catch(() => null);

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** @returns seconds since a time in milliseconds since 1970; 0 for null */
export const ageS = (at: number | null): number =>
  at === null ? 0 : Math.max(0, Date.now() - at) / 1000;

export function reasonsOf({ posthog, mails, freeBytes }: Figures): (string | null)[] {
  return [
    posthog && describe('PostHog is behind. Events', posthog),
    mails && describe('Mails', mails),
    freeBytes !== null && freeBytes < LOW_BYTES
      ? `The disk of DATA_DIR has ${Math.floor(freeBytes / 1024 ** 2)} MB left. Free some space.`
      : null,
  ];
}

function describe(name: string, backlog: MailBacklog & { fault?: string | null }): string | null {
  const { waiting, oldestAt, fault = null } = backlog;
  const isBehind = ageS(oldestAt) > BEHIND_S;
  if (fault === null && !isBehind) return null;
  const age = isBehind ? `, the oldest for ${Math.floor(ageS(oldestAt) / 60)} minutes` : '';
  return `${name} wait: ${waiting}${age}. ${fault ?? 'The log says why.'}`;
}

/** Figures that are read when somebody asks: what waits, and the free space. */
import { statfs } from 'node:fs/promises';
import type { PosthogState } from '../posthog/sender.ts';
import type { MailBacklog } from '../registrations/mail/outbox.ts';

export interface Sources {
  /** null: the page was built without PostHog. */
  posthogState: (() => Promise<PosthogState>) | null;
  mailBacklog(): Promise<MailBacklog>;
  freeBytes(): Promise<number>;
}

/** A figure is null where it could not be read. The failing part logs its failure itself. */
export interface Figures {
  posthog: PosthogState | null;
  mails: MailBacklog | null;
  freeBytes: number | null;
}

/** Questions within this time share an answer, so that visitors of /healthz cost the database nothing. */
const SHARED_MS = 1000;
/** A database that does not answer costs its own figures alone. */
const PATIENCE_MS = 1000;

export function makeFigures(sources: Sources): () => Promise<Figures> {
  let last: { at: number; figures: Promise<Figures> } | null = null;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > SHARED_MS) last = { at: now, figures: readAll(sources) };
    return last.figures;
  };
}

async function readAll({ posthogState, mailBacklog, freeBytes }: Sources): Promise<Figures> {
  const [posthog, mails, free] = await Promise.all([
    posthogState && orNull(posthogState),
    orNull(mailBacklog),
    orNull(freeBytes),
  ]);
  return { posthog, mails, freeBytes: free };
}

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const limit = setTimeout(resolve, PATIENCE_MS, null);
  try {
    return await Promise.race([read(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(limit);
  }
}

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** @returns seconds since a time in milliseconds since 1970; 0 for null */
export const ageS = (at: number | null): number =>
  at === null ? 0 : Math.max(0, Date.now() - at) / 1000;

/**
 * How we recognise our objects at PostHog, whatever people call them there. Dashboards and insights have tags. Annotations have
 * none, so they carry a comment at the end of their text.
 */
import { createHash } from 'node:crypto';

export type Kind = 'dashboard' | 'insight' | 'annotation';

export interface Identity {
  key: string;
  /** Hash of what we sent last; null: the tag is missing. */
  sent: string | null;
  /** Hash of what PostHog made of it, if that differs: it may add defaults. */
  seen: string | null;
}

const SENT = 'site:hash:';
const SEEN = 'site:seen:';
const HASH_TAGS = [SENT, SEEN];
const HASH_DIGITS = 16;
const COMMENT = /<!-- (site:annotation:[^<>]*) -->$/;

/** @returns the tag that names an object: `site:insight:clicks-per-day` */
export const keyTag = (kind: Kind, key: string): string => `site:${kind}:${key}`;

/** @returns our tags, and those that people have added */
export function withOurTags(kind: Kind, identity: Identity, others: string[] = []): string[] {
  const prefixes = [keyTag(kind, ''), ...HASH_TAGS];
  const theirs = others.filter((tag) => !prefixes.some((prefix) => tag.startsWith(prefix)));
  return [...ourTags(kind, identity), ...theirs];
}

function ourTags(kind: Kind, { key, sent, seen }: Identity): string[] {
  return [keyTag(kind, key), ...(sent ? [SENT + sent] : []), ...(seen ? [SEEN + seen] : [])];
}

/** @returns null if the object is not ours */
export function identityOf(kind: Kind, tags: string[]): Identity | null {
  const tagValue = (prefix: string) =>
    tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) || null;
  const key = tagValue(keyTag(kind, ''));
  return key === null ? null : { key, sent: tagValue(SENT), seen: tagValue(SEEN) };
}

/** @returns the text with its comment */
export const withComment = (text: string, identity: Identity): string =>
  `${text} <!-- ${ourTags('annotation', identity).join(' ')} -->`;

/** @returns null if the annotation is not ours */
export function readComment(content: string): { text: string; identity: Identity } | null {
  const own = content.trimEnd();
  const tags = COMMENT.exec(own)?.[1]?.split(' ');
  const identity = tags && identityOf('annotation', tags);
  return identity ? { text: own.replace(COMMENT, '').trimEnd(), identity } : null;
}

/** @returns a hash that is the same for any order of keys. Null counts as absent, because PostHog may write either. */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(withSortedKeys(value));
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, withSortedKeys(part)]),
  );
}

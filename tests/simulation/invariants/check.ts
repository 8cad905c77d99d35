/** Shared by the checks: their type, and queries of the table of clicks. */
import { clicksKeptSince } from '../../../server/clicks/id-time.ts';
import { HOUR_MS } from '../../../server/time.ts';
import type { StoredClick } from '../book.ts';
import { time } from '../clock.ts';
import type { World } from '../world.ts';

/** A check of one invariant. It returns a sentence for each fault. */
export type Check = (world: World) => string[] | Promise<string[]>;

/** Retention may be late by so much, because its job runs at most once an hour. */
export const LATE_MS = 3 * HOUR_MS;

/** Returns the time since which clicks and views must be kept; 0: all of them. */
export const keptSince = ({ site }: World): number =>
  site.clickRetentionDays === 0 ? 0 : clicksKeptSince(site.clickRetentionDays, time());

export const clicksInTable = ({ database }: World) =>
  database.read('SELECT * FROM clicks', []) as never as (StoredClick & Record<string, unknown>)[];

/**
 * Whether even the newest row or line is too old. The server then deletes nothing, because its
 * clock may be wrong.
 */
export const isHeld = (newestAt: number, since: number): boolean => newestAt < since;

/** Returns when the newest click in the table was received; 0 if there is none. */
export const newestOf = (world: World): number =>
  Math.max(0, ...clicksInTable(world).map(({ received_at }) => received_at));

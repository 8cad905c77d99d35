/** What the checks of all subjects share. */
import { clicksKeptSince } from '../../../server/clicks/id-time.ts';
import { HOUR_MS } from '../../../server/time.ts';
import type { StoredClick } from '../book.ts';
import { time } from '../clock.ts';
import type { World } from '../world.ts';

export type Check = (world: World) => string[] | Promise<string[]>;

/** The hourly work may be late by so much, because it runs at most once an hour. */
export const LATE_MS = 3 * HOUR_MS;

export const keptSince = ({ site }: World): number =>
  site.clickRetentionDays === 0 ? 0 : clicksKeptSince(site.clickRetentionDays, time());

export const clicksInTable = ({ database }: World) =>
  database.read('SELECT * FROM clicks', []) as never as (StoredClick & Record<string, unknown>)[];

/**
 * Whether the newest row or line is too old itself. The server then deletes nothing: its clock may
 * be wrong.
 */
export const isHeld = (newestAt: number, since: number): boolean => newestAt < since;

export const newestOf = (world: World): number =>
  Math.max(0, ...clicksInTable(world).map(({ received_at }) => received_at));

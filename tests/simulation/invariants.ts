/** The invariants: what must hold at the end of every run. */
import type { Check } from './invariants/check.ts';
import {
  arrived,
  counted,
  emptiedInTime,
  keptAsLongAsPromised,
  onlyOnce,
  readStats,
} from './invariants/clicks.ts';
import { briefViews, forgottenStay, keptViews, logFiles } from './invariants/kept-data.ts';
import {
  clicksAtPosthog,
  eventsAtPosthog,
  nothingWaits,
  refusedWithReason,
  viewsAtPosthog,
} from './invariants/posthog.ts';
import { mailed, registered } from './invariants/registrations.ts';
import { findReportFaults } from './report-faults.ts';
import type { World } from './world.ts';

const CHECKS: Check[] = [
  arrived,
  onlyOnce,
  keptAsLongAsPromised,
  emptiedInTime,
  counted,
  clicksAtPosthog,
  eventsAtPosthog,
  viewsAtPosthog,
  refusedWithReason,
  keptViews,
  briefViews,
  forgottenStay,
  nothingWaits,
  registered,
  mailed,
  logFiles,
  readStats,
  findReportFaults,
];

/** Runs all checks on a run that has ended. @returns a sentence for each fault */
export async function findFaults(world: World): Promise<string[]> {
  const faults = [...world.book.complaints];
  for (const check of CHECKS) faults.push(...(await check(world)));
  return faults;
}

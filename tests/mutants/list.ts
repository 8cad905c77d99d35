/** One-line edits that break a promise. Each must turn at least one of its tests red. */
import { BROWSER } from './list/browser.ts';
import { CLICKS } from './list/clicks.ts';
import { COMMANDS } from './list/commands.ts';
import { DASHBOARDS } from './list/dashboards.ts';
import { LEDGER } from './list/ledger.ts';
import { LINK_MUTANTS } from './list/links.ts';
import { OPERATIONS } from './list/operations.ts';
import { OUTPUT } from './list/output.ts';
import { POSTHOG } from './list/posthog.ts';
import { PRIVACY } from './list/privacy.ts';
import { REGISTRATIONS } from './list/registrations.ts';
import { REHEARSAL } from './list/rehearsal.ts';
import { SIGNALS } from './list/signals.ts';
import { STRANGERS } from './list/strangers.ts';
import type { Mutant } from './try-mutants.ts';

export const MUTANTS: readonly Mutant[] = [
  ...LEDGER,
  ...CLICKS,
  ...BROWSER,
  ...REGISTRATIONS,
  ...PRIVACY,
  ...STRANGERS,
  ...OPERATIONS,
  ...COMMANDS,
  ...OUTPUT,
  ...DASHBOARDS,
  ...POSTHOG,
  ...LINK_MUTANTS,
  ...SIGNALS,
  ...REHEARSAL,
];

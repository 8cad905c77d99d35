/** Opens the upkeep of the dashboard, if the server has a personal key. */
import type { Logger } from 'pino';
import type { CompletenessFigures } from '#dashboards/completeness.ts';
import type { Config } from '../../config.ts';
import { managementAccess } from '../management/management-access.ts';
import { openManagement } from '../management/management-api.ts';
import { type DashboardUpkeep, startDashboardUpkeep } from './dashboard-upkeep.ts';

interface Parts {
  figures: () => Promise<CompletenessFigures | null>;
  log: Logger;
}

/** @returns null without a personal key @throws an Error that names the settings that are missing next to the key */
export function openDashboard(
  config: Pick<Config, 'posthogApp'>,
  { figures, log }: Parts,
): DashboardUpkeep | null {
  if (config.posthogApp.key === null) return null;
  const api = openManagement(managementAccess(config));
  return startDashboardUpkeep({ api, figures, now: Date.now, log });
}

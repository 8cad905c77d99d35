/** Opens the upkeep of the dashboard. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { managementAccess } from '../management/management-access.ts';
import { openManagement } from '../management/management-api.ts';
import type { CountParts } from './count-clicks.ts';
import { type DashboardUpkeep, startDashboardUpkeep } from './dashboard-upkeep.ts';
import { readFigures } from './read-figures.ts';

export interface DashboardParts extends Pick<CountParts, 'store' | 'toEvent' | 'retentionMs'> {
  /** Name of this server among several; null: there is one. */
  server: string | null;
  log: Logger;
}

/** @throws an Error that names the settings that are missing next to the key */
export function openDashboard(
  config: Pick<Config, 'posthogApp' | 'files'>,
  { server, log, ...counted }: DashboardParts,
): DashboardUpkeep {
  const api = openManagement(managementAccess(config));
  const warn = (message: string) => log.warn(message);
  const parts = { ...counted, ledger: config.files.ledger, warn };
  return startDashboardUpkeep({
    api,
    server: server && shorten(server),
    now: Date.now,
    figures: () => readFigures(api, { ...parts, isOneOfSeveral: server !== null }, Date.now()),
    log,
  });
}

/** Enough of a random id to tell servers apart. */
const shorten = (id: string): string => id.slice(-8);

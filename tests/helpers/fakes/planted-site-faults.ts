/**
 * Faults of a site as visitors meet them: of its server, its proxy, a cache, a deploy, and the
 * partner's portal. Each is planted between a healthy site and the program
 * that asks it. `named` is what an operator must read within the hour.
 */
import { ADDRESS_FAULTS } from './site-faults/address.ts';
import { COUNTING_FAULTS } from './site-faults/counting.ts';
import { FILES_FAULTS } from './site-faults/files.ts';
import { BUTTONS_FAULTS, PAGES_FAULTS } from './site-faults/pages.ts';
import type { Plant, PlantedFault } from './site-faults/plant.ts';
import { PORTAL_FAULTS } from './site-faults/portal.ts';
import { SCRIPTS_FAULTS } from './site-faults/scripts.ts';

export const PLANTED: PlantedFault[] = [
  ...PAGES_FAULTS,
  ...BUTTONS_FAULTS,
  ...SCRIPTS_FAULTS,
  ...FILES_FAULTS,
  ...COUNTING_FAULTS,
  ...PORTAL_FAULTS,
  ...ADDRESS_FAULTS,
];

/** @throws if no planted fault has the name */
export function plantOf(name: string): Plant {
  const found = PLANTED.find((fault) => fault.name === name);
  if (!found) throw new Error(`No fault is planted as "${name}".`);
  return found.plant;
}

/**
 * All planted faults for tests of the hourly walk over the site: faults of its server, proxy,
 * cache, last deploy, and of the partner's portal. A proxy plants each between a healthy site and
 * the walk. `named` is the message that an operator must get within the hour.
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

/** Returns the function that plants a fault. @throws if no fault has this name */
export function plantOf(name: string): Plant {
  const found = PLANTED.find((fault) => fault.name === name);
  if (!found) throw new Error(`No fault is planted as "${name}".`);
  return found.plant;
}

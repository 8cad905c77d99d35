/**
 * Faults of a site as visitors meet them: of its server, its proxy, a cache, a deploy, and the
 * partner's portal. Each is planted between a healthy site and the program
 * that asks it. `named` is what an operator must read within the hour.
 */
import { OF_ADDRESS } from './site-faults/address.ts';
import { OF_COUNTING } from './site-faults/counting.ts';
import { OF_FILES } from './site-faults/files.ts';
import { OF_BUTTONS, OF_PAGES } from './site-faults/pages.ts';
import type { Plant, PlantedFault } from './site-faults/plant.ts';
import { OF_PORTAL } from './site-faults/portal.ts';
import { OF_SCRIPTS } from './site-faults/scripts.ts';

export const PLANTED: PlantedFault[] = [
  ...OF_PAGES,
  ...OF_BUTTONS,
  ...OF_SCRIPTS,
  ...OF_FILES,
  ...OF_COUNTING,
  ...OF_PORTAL,
  ...OF_ADDRESS,
];

/** @throws if no planted fault has the name */
export function plantOf(name: string): Plant {
  const found = PLANTED.find((fault) => fault.name === name);
  if (!found) throw new Error(`No fault is planted as "${name}".`);
  return found.plant;
}

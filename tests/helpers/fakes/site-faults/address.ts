/** Faults of the site's address. Those of its certificate are tested with servers of their own. */
import type { PlantedFault } from './plant.ts';

export const ADDRESS_FAULTS: PlantedFault[] = [
  {
    name: 'connections to the site break off',
    plant: ({ isPortal }, answer) => (isPortal ? answer : 'reset'),
    named: /nothing answers at https:\/\/site\.example \(\w+\)/,
  },
  {
    name: 'the site is silent',
    plant: ({ isPortal }, answer) => (isPortal ? answer : 'silence'),
    isSilent: true,
    named: /nothing answers at https:\/\/site\.example \(timeout\)/,
  },
];

/** The words of the landing page's interactive parts in English, except the form's. */
import type { Site } from '#site.config.ts';
import { optOut } from './opt-out.ts';

export const islands = (site: Site) => ({
  'hero-stats': {
    /** @param total presses of the buttons, rounded down by the server */
    pressed: (total: number) =>
      `The button has been pressed at least ${total.toLocaleString('en-US')} times so far.`,
  },
  'opt-out': optOut(site),
  toaster: {
    /** Names the region of the messages. Radix replaces {hotkey} with the key that leads to it. */
    label: 'Messages ({hotkey})',
    dismiss: 'Dismiss',
  },
});

export type IslandWords = ReturnType<typeof islands>;

/** Colours, sizes and words of the picture. */
import type { Kind, Lane } from './dots.ts';

export const PAPER = '#fbf7ef';
export const INK = '#1c1b2e';
export const QUIET = '#5a546b';
export const GRID = '#e4dccb';
export const BAND = '#efe3c8';
export const ALARM = '#b3402a';

export const WIDTH = 1280;
/** Room for the lanes' names and the scale. */
export const LEFT = 232;
export const RIGHT = 24;
/** Room for the disasters' names. */
export const TOP = 116;
export const LANE_HEIGHT = 156;

export const COLOURS: Record<Kind, string> = {
  atOnce: '#0e4a42',
  inBrowser: '#d98a00',
  inLedger: '#7d4f87',
  byBrowser: '#0e4a42',
  byServer: '#cf6d52',
  mail: '#4b1f52',
};

export const LEGEND: Record<Lane, { name: string; kinds: [Kind, string][] }> = {
  disk: {
    name: 'on the disk',
    kinds: [
      ['atOnce', 'at once'],
      ['inBrowser', 'waited in the browser'],
    ],
  },
  index: {
    name: 'in the index',
    kinds: [
      ['atOnce', 'at once'],
      ['inBrowser', 'waited in the browser'],
      ['inLedger', 'waited in the ledger'],
    ],
  },
  posthog: {
    name: 'at PostHog',
    kinds: [
      ['byBrowser', 'by the browser'],
      ['byServer', 'by the server, later'],
    ],
  },
  mail: { name: 'mail sent', kinds: [['mail', 'after a registration']] },
};

/** Marks of the scale: seconds and their words. */
export const TICKS: [number, string][] = [
  [0.01, '10 ms'],
  [0.1, '0.1 s'],
  [1, '1 s'],
  [10, '10 s'],
  [60, '1 min'],
  [300, '5 min'],
];

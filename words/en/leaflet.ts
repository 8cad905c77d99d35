/** The words that only the leaflet has, in English. */
import type { Site } from '#site.config.ts';

export const leaflet = (site: Site) => ({
  scan: 'Point your phone’s camera at the square',
  type: 'Or type this address:',
  code: 'QR code',
  signUp: `You create your account with ${site.partnerName}, our partner.`,
  control: 'You decide what to share, and you can delete your account at any time. Questions?',
});

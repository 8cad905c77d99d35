/** The words of the portal's stand-in in English. */
import type { Site } from '#site.config.ts';

export const standIn = ({ partnerName }: Site) => ({
  /** By the page that the link is for. */
  pages: {
    account: `The portal of ${partnerName} will open in this tab. You will create your account there.`,
    privacy: `The privacy policy of ${partnerName} will open in this tab.`,
    terms: `The terms of ${partnerName} will open in this tab.`,
  },
  close: 'There is nothing to fill in here. You can go back or close this tab.',
  code: 'Invitation code:',
  ref: 'Code in the link that you followed:',
  operator:
    'For the operator: site.json does not name a portal. Set portalHost, privacyUrl and termsUrl there. Then build the site again.',
});

export type StandInWords = ReturnType<typeof standIn>;

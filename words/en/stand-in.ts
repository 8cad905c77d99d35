/** The words of the portal's stand-in in English. */
import type { Site } from '#site.config.ts';

export const standIn = ({ partnerName }: Site) => ({
  /** By the page that the link is for. */
  pages: {
    account: `Later, the portal of ${partnerName} will open here. You will create your account there.`,
    privacy: `Later, the privacy policy of ${partnerName} will open here.`,
    terms: `Later, the terms of ${partnerName} will open here.`,
  },
  close: 'There is nothing to fill in or to wait for. You can go back or close this tab.',
  code: 'Invitation code:',
  ref: 'Code in the link that you followed:',
  operator:
    'For the operator: site.json does not name a portal. Set portalHost, privacyUrl and termsUrl there. Then build the site again.',
});

export type StandInWords = ReturnType<typeof standIn>;

import { readCampaign, type VisitFacts } from '#contract/visit.ts';

/** Reads the visit's facts, which every click and event of the page carries. */
export const readVisitFacts = (): VisitFacts => ({
  campaign: readCampaign(location.search),
  referring_domain: document.referrer.split('/')[2] ?? '',
  screen_class: screen.width < 600 ? 'small' : screen.width < 1024 ? 'medium' : 'large',
});

import { CTAS, type CtaName } from '#contract/cta.ts';

/** Path of the page on which tests press each call to action, in English. */
export const CTA_PATHS: Record<CtaName, string> = { hero: '/', closing: '/', help: '/help/' };

/** The calls to action of a page, in the order of contract/cta.ts. */
export const ctasOn = (path: string) =>
  (Object.keys(CTAS) as CtaName[])
    .filter((name) => CTA_PATHS[name] === path)
    .map((name) => ({ name, selector: `[data-cta=${name}]`, ...CTAS[name] }));

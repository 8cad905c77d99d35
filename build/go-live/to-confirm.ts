/** What no setting can settle: promises that the partner must keep, and laws that a lawyer must apply. Sources as read in November 2026. */
import type { SiteConfig } from '#site.config.ts';
import type { BuiltPage } from './claims.ts';

/** Promises of the specification. The pages make them with every setting. */
export const promises = ({ partnerName }: SiteConfig): string[] => [
  `${partnerName} encrypts data in transit and at rest.`,
  `${partnerName} has operated since 2017.`,
  'A visitor can delete the account at any time, and can stop sharing.',
  'A visitor sees gaps in care, and studies that may fit.',
];

/** Sentences in English about what the operator does. No setting and no code ensures them. */
const OPERATORS_SENTENCES = [
  /[^.]*\bno advertiser\b[^.]*\./i,
  /[^.]*\bwe then erase\b[^.]*\./i,
  /[^.]*\bask PostHog to delete\b[^.]*\./i,
];

/** Returns the operator's promises, each as a page says it, with the path of that page. */
export const operatorsPromises = (pages: BuiltPage[]): string[] =>
  OPERATORS_SENTENCES.flatMap((sentence) => {
    const page = pages.find(({ words }) => sentence.test(words));
    const said = page && sentence.exec(page.words);
    return said ? [`"${said[0].trim()}" On ${page.path}`] : [];
  });

/** Laws of the US that may apply, whatever the settings are. */
export const LAWS: string[] = [
  'A breach of health data: the FTC’s Health Breach Notification Rule (16 CFR 318) binds keepers of personal health records that HIPAA does not cover.',
  'State laws on consumer health data: Washington’s My Health My Data Act (RCW 19.373) asks for a policy of its own, with its own link on the home page.',
  'California (Business and Professions Code 22575): a policy that says how the site answers Do Not Track. This site honors it and Global Privacy Control.',
  'Accessibility: with money from HHS, WCAG 2.1 AA by 11 May 2027, with fewer than 15 employees by 10 May 2028 (45 CFR 84; 91 FR 25496). The ADA and Section 508 may apply as well.',
  'Testimonials: the two stories are marked as samples. Real ones must follow the FTC’s Endorsement Guides (16 CFR 255).',
];

/** A look-up that tells another company about a visitor. Null: none. */
export const lookUpWarning = ({ ipLookupUrl }: SiteConfig): string | null =>
  ipLookupUrl &&
  `ipLookupUrl is set: ${new URL(ipLookupUrl).host} learns the address of each visitor who presses the button. Set it to null, or agree on the use of the data in a contract.`;

/**
 * The dates that help pages name. Only people know whether they are true, so docs/go-live.md lists
 * them.
 */
import type { Language } from '#contract/language.ts';
import type { HelpPageName } from './help-paths.ts';

interface Review {
  /** Day of the medical review. It is not before the last change of the texts. */
  on: string;
  /**
   * Fingerprint of the English and the Spanish text that were read: tests/words/dates.test.ts fails
   * once they change.
   */
  texts: string;
}

/** The reviews of the pages that have medical content. Every other page names no review. */
export const REVIEWS: Partial<Record<HelpPageName, Review>> = {
  easy: { on: '2026-11-28', texts: 'e95836602c30' },
  questions: { on: '2026-11-28', texts: '078e8d82b9bf' },
  clinicians: { on: '2026-11-28', texts: 'f7ae2f366929' },
};

/** Day of the statement on /help/accessibility/. */
export const ACCESSIBILITY_STATEMENT = '2026-11-28';

/** @param day as `2026-11-28` @returns the day in the language's words */
export const longDate = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(`${language}-US`, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  );

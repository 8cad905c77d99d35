/** The words of the help pages in every language. */
import { site } from 'virtual:site';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { logDays } from '#contract/log-days.ts';
import type { Site } from '#site.config.ts';
import { ACCESSIBILITY_STATEMENT, longDate } from './dates.ts';
import { helpLayout as layoutEn } from './en/help/layout.ts';
import { optOut as optOutEn } from './en/opt-out.ts';
import { helpLayout as layoutEs } from './es/help/layout.ts';
import { optOut as optOutEs } from './es/opt-out.ts';
import { HELP_PATHS, type HelpPageName } from './help-paths.ts';
import { type HelpWords, readHelp } from './read-help.ts';

export { ANSWERS, HELP_PATHS, type HelpPageName } from './help-paths.ts';
export type { HelpWords } from './read-help.ts';

const FILES = import.meta.glob<string>('./*/help/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});

const OPT_OUT = { en: optOutEn, es: optOutEs };

/** The words that every help page shares. */
export const HELP_LAYOUT = { en: layoutEn(site), es: layoutEs(site) };

/** @param settings tests have others than the build's */
export function helpWords(page: HelpPageName, language: Language, settings: Site): HelpWords {
  const file = `./${language}/help/${page}.md`;
  const { [file]: markdown } = FILES;
  if (markdown === undefined) throw new Error(`words has no ${file}`);
  const { counted, turnOff } = OPT_OUT[language](settings);
  return readHelp(markdown, {
    ...settings,
    counted,
    turnOff,
    ipLookupHost: settings.ipLookupUrl && new URL(settings.ipLookupUrl).host,
    posthogDomain: new URL(settings.posthogHost).host,
    stated: longDate(ACCESSIBILITY_STATEMENT, language),
    logDays: logDays(settings),
    personalDataDays: personalDataDays(settings),
  });
}

/** A row that is deleted before has no personal data to empty. 0: it is not emptied. */
const personalDataDays = ({ personalDataDays: days, clickRetentionDays: rowDays }: Site): number =>
  rowDays > 0 && rowDays <= days ? 0 : days;

export const HELP = Object.fromEntries(
  Object.keys(HELP_PATHS).map((name) => {
    const page = name as HelpPageName;
    const words = LANGUAGES.map((language) => [language, helpWords(page, language, site)]);
    return [page, Object.fromEntries(words)];
  }),
) as Record<HelpPageName, Record<Language, HelpWords>>;

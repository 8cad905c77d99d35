/** Paths of the help pages. Browser tests read them, too, so this file imports no words. */

/**
 * The English path of each help page, in the order of the hub's list. The film's words are linked
 * at the film.
 */
export const HELP_PATHS = {
  hub: '/help/',
  easy: '/help/easy/',
  questions: '/help/questions/',
  who: '/help/who/',
  privacy: '/help/privacy/',
  accessibility: '/help/accessibility/',
  clinicians: '/help/clinicians/',
  film: '/help/film/',
} as const;

export type HelpPageName = keyof typeof HELP_PATHS;

/** The pages that the hub lists, in its order. */
export const ANSWERS: HelpPageName[] = (Object.keys(HELP_PATHS) as HelpPageName[]).filter(
  (page) => page !== 'hub' && page !== 'film',
);

/** The page at an English path, with or without the slash at its end. */
export const helpPageAt = (path: string): HelpPageName | undefined =>
  (Object.keys(HELP_PATHS) as HelpPageName[]).find((page) =>
    [path, `${path}/`].includes(HELP_PATHS[page]),
  );

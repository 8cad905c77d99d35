import { HELP_PATHS } from '#words/help-paths.ts';

/** Vike has no slash at the end of a page's address. */
export const onBeforePrerenderStart = () =>
  Object.values(HELP_PATHS).map((path) => path.slice(0, -1));

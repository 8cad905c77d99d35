import { HELP_PATHS } from '#words/help-paths.ts';

/** Returns the addresses of all help pages, without the slash at the end, as Vike expects them. */
export const onBeforePrerenderStart = () =>
  Object.values(HELP_PATHS).map((path) => path.slice(0, -1));

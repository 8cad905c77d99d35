/** The pictures that bench/look.ts takes of a build: pages, states and media that a style sheet knows. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';

export interface Shot {
  name: string;
  path: string;
  width: number;
  context?: BrowserContextOptions;
  /** Brings the page into the state that is pictured. */
  act?: (page: Page) => Promise<unknown>;
  /** Only what is in view, because the state does not last. */
  isBrief?: boolean;
}

/** Addresses that bench/look.ts answers with the pages for forms that were sent without script, and the files of these. */
export const ANSWERS = Object.fromEntries(
  LANGUAGES.flatMap((language) =>
    ['registered', 'not-registered'].map((name) => [
      pathIn(language, `/~${name}`),
      pathIn(language, `/${name}.html`),
    ]),
  ),
);

const WIDTHS = [320, 390, 768, 1440];
const HELP_WIDTHS = [320, 768, 1440];
const SCHEMES = ['light', 'dark'] as const;
const PAGES = {
  index: '/',
  missing: '/missing',
  registered: '/~registered',
  'not-registered': '/~not-registered',
};
const MEDIA: Record<string, BrowserContextOptions> = {
  'forced-colors': { forcedColors: 'active' },
  contrast: { contrast: 'more' },
  'no-script': { javaScriptEnabled: false },
};

const optOut = (page: Page) => page.locator('[data-island=opt-out] button');

const STATES: Record<string, Pick<Shot, 'act' | 'isBrief'>> = {
  print: { act: (page) => page.emulateMedia({ media: 'print' }) },
  'text-200': {
    act: (page) => page.addStyleTag({ content: 'html { font-size: 200% !important }' }),
  },
  film: { act: (page) => page.locator('[data-island=video] a').click() },
  details: {
    act: (page) =>
      page.locator('details').evaluateAll((all) => {
        for (const one of all as HTMLDetailsElement[]) one.open = true;
      }),
  },
  problems: {
    act: async (page) => {
      const send = page.locator('form button');
      if ((await send.count()) > 0) await send.click();
    },
  },
  toast: {
    isBrief: true,
    act: async (page) => {
      await optOut(page).click();
      await page.locator('[data-toast] button').waitFor();
    },
  },
  tooltip: {
    isBrief: true,
    act: async (page) => {
      await optOut(page).hover();
      await page.getByRole('tooltip').waitFor();
    },
  },
  focus: { isBrief: true, act: (page) => page.keyboard.press('Tab') },
};

export function allShots(): Shot[] {
  const pages = Object.entries(PAGES).flatMap(([name, path]) => shotsOf(name, path, WIDTHS));
  const help = Object.entries(HELP_PATHS).flatMap(([name, path]) =>
    shotsOf(`help-${name}`, path, HELP_WIDTHS),
  );
  const media = Object.entries(MEDIA).flatMap(([name, context]) =>
    [390, 1440].map((width) => ({ name: `index-${name}-${width}`, path: '/', width, context })),
  );
  const states = Object.entries(STATES).flatMap(([name, state]) =>
    [390, 1440].map((width) => ({ name: `index-${name}-${width}`, path: '/', width, ...state })),
  );
  return [...pages, ...help, ...media, ...states];
}

/** A page in each language, at each width and in both schemes, such as `index-es-320-dark`. */
const shotsOf = (name: string, path: string, widths: number[]): Shot[] =>
  LANGUAGES.flatMap((language) =>
    widths.flatMap((width) =>
      SCHEMES.map((colorScheme) => ({
        name: `${name}-${language}-${width}-${colorScheme}`,
        path: pathIn(language, path),
        width,
        context: { colorScheme },
      })),
    ),
  );

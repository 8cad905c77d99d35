/** The pictures that bench/look.ts takes of a build: pages, states and media that a style sheet knows. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
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
  /** Only a build with the form has it. */
  needsForm?: boolean;
}

interface Answer {
  language: Language;
  /** The form that the server answers with the page. */
  form: Record<string, string>;
}

const FORMS = {
  registered: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    agreedToTerms: 'on',
  },
  'not-registered': { firstName: 'A', email: 'ada' },
};

/** Addresses at which bench/look.ts shows the server's answers to forms without script. */
export const ANSWERS: Record<string, Answer> = Object.fromEntries(
  LANGUAGES.flatMap((language) =>
    Object.entries(FORMS).map(([name, form]) => [
      pathIn(language, `/~${name}`),
      { language, form },
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

const STATES: Record<string, Pick<Shot, 'act' | 'isBrief' | 'needsForm'>> = {
  print: { act: (page) => page.emulateMedia({ media: 'print' }) },
  'text-200': {
    act: (page) => page.addStyleTag({ content: 'html { font-size: 200% !important }' }),
  },
  film: { act: (page) => page.locator('[data-island=video] a').click() },
  problems: {
    needsForm: true,
    act: async (page) => {
      await page.locator('form button').click();
      await page.locator('form [aria-invalid=true]').first().waitFor();
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
        needsForm: pathIn(language, path) in ANSWERS,
      })),
    ),
  );

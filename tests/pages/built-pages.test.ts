import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { site } from 'virtual:site';
import { describe, expect, test } from 'vitest';
import { CTAS } from '#contract/cta.ts';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { landing as english } from '#words/en/landing.ts';
import { landing as spanish } from '#words/es/landing.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { buildSite } from '../helpers/run/build-sites.ts';
import { textOf } from '../helpers/words/page-text.ts';
import { wordsOf } from '../helpers/words/reading-level.ts';

const DIST = await buildSite('tracked');
const read = (file: string) => readFileSync(join(DIST, 'client', file), 'utf8');
const [main = ''] = /<main.*<\/main>/s.exec(read('index.html')) ?? [];
const SECTIONS = [
  'The SMA journey is improving, but not fast enough',
  'How It Works',
  'What You Get',
  'Your Data, Your Choices',
  'Sample Stories',
  'Ready to Drive Change?',
];
/** Words of the landing page in both languages. */
const WORDS = {
  en: [
    `The ${site.productName} is a nationwide patient data initiative in the United States.`,
    `Run by ${site.operator}`,
    'Cost Free, about 10 minutes',
    `Your data Your records go to ${site.partnerName}, never to this site`,
    'For a child A parent or guardian may join',
    'Fragmented care',
    'Exhausting fatigue',
    'Limited research insights',
    'Over 65 years',
    '“Over 65 years” is hoped for, and was not yet reached in 2023.',
    'half the babies with CF born from 2019 to 2023 are predicted to live past 61.',
    '61 is a median (the age in the middle), and 79 is an average.',
    'This is about CF. SMA is different.',
    'Connect your records',
    'Get personalized insights',
    'Drive research forward',
    'Organized records',
    'Personalized care insights',
    'Research impact',
    `${site.partnerName} must be compliant with health privacy laws.\nPrivacy policy of`,
    'Your records are encrypted in transit and at rest.',
    'You can delete your account at any time.',
    `Powered by ${site.partnerName}, a health insights platform operating since 2017.`,
    'No real person said them.',
    'pediatric neurologist',
    'It is not medical advice.',
    `The button opens the site of ${site.partnerName}, our partner.`,
    `${site.operator} runs this site.`,
    'With each press we keep your network (IP) address.',
  ],
  es: [
    '“Más de 65 años” es lo que se espera lograr, y en 2023 todavía no se alcanzaba.',
    'se predice que la mitad de los bebés con FQ nacidos de 2019 a 2023 vivirá más de 61 años.',
    '61 es una mediana (la edad de en medio), y 79, un promedio.',
    'Esto es sobre la FQ. La AME es distinta.',
    'Sus expedientes se cifran, es decir, se vuelven ilegibles, en el camino y donde se guardan.',
    `Sus datos Sus expedientes van a ${site.partnerName}, nunca a este sitio`,
    `${site.partnerName} debe cumplir las leyes de privacidad de la salud.\nPolítica de privacidad`,
  ],
};

describe.each(LANGUAGES)('the landing page (%s)', (language) => {
  const home = pathIn(language, '/');
  const html = read(`${home}index.html`);

  test('says what the specification and its honesty ask for', () => {
    const text = textOf(html);
    expect(WORDS[language].filter((words) => !text.includes(words))).toEqual([]);
    const bars = [...html.matchAll(/<dd>(.*?)<svg/gs)].map(([, words = '']) => textOf(words));
    expect(bars).toEqual([expect.stringContaining('65'), expect.stringContaining('79')]);
  });

  test('puts no pressure on readers: no word of guilt, hurry or fear', () => {
    const pressing =
      /\b(next child|every family|don.t wait|hurry|before it is too late|suffer|victim|víctima|sufre|no espere|apúrese)/i;
    expect(textOf(html)).not.toMatch(pressing);
  });

  test('links the answers, the film in words, the policy and a person', () => {
    const hrefs = (part: string | undefined) =>
      [...(part ?? '').matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
    const [header] = html.split('</header>');
    expect(hrefs(header).slice(1)).toEqual([
      `${home}help/questions/`,
      language === 'en' ? '/es/' : '/',
    ]);
    const [film = ''] = html.split('<video');
    expect(hrefs(film)).toContain(`${home}help/film/`);
    const [before, footer] = html.split('<footer');
    expect(hrefs(before)).toContain(site.privacyUrl);
    for (const part of [before?.split('id="register"')[1], footer]) {
      expect(hrefs(part).filter((href) => href === `${home}help/`)).toHaveLength(1);
    }
    expect(hrefs(footer)).toContain(`mailto:${site.contactEmail}`);
    expect(hrefs(html)).toContain(site.phoneUrl);
  });
});

test('the sections of the specification are in their order, with or without others', () => {
  const shown = [...main.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, text = '']) => textOf(text));
  expect(shown.filter((text) => SECTIONS.includes(text))).toEqual(SECTIONS);
});

test('with the form, no short promise says that nothing comes to this site', () => {
  for (const [words, promise] of [
    [english, 'never to this site'],
    [spanish, 'nunca a este sitio'],
  ] as const) {
    const factsOf = (registerForm: boolean) =>
      words({ ...site, registerForm }).hero.facts.map(({ answer }) => answer);
    expect(factsOf(false).join()).toContain(promise);
    expect(JSON.stringify(words({ ...site, registerForm: true }))).not.toContain(promise);
    expect(factsOf(true)).toHaveLength(4);
  }
});

test('a long name breaks between its words', () => {
  const partnerName = 'Northern Lakes Health Insights Platform';
  const { hero } = english({ ...site, partnerName });
  expect(hero.signUp).toContain(`${partnerName}, our partner.`);
  expect(english(site).hero.signUp).toContain('Wayfield\u00a0Health, our partner.');
  for (const words of [english, spanish]) {
    const answersWith = (name: string) =>
      words({ ...site, partnerName: name })
        .hero.facts.map(({ answer }) => answer)
        .join();
    expect(answersWith('Northern Lakes Health')).toContain('Northern Lakes Health');
    expect(answersWith('Wayfield Health')).toContain('Wayfield\u00a0Health');
  }
});

test('each figure names its source and year, with a link', () => {
  const links = [...main.matchAll(/<a (?![^>]*target)[^>]*href="(https:[^"]*)"[^>]*>(.*?)<\/a>/g)];
  expect(links.map(([, href, text]) => [new URL(href ?? '').host, text])).toEqual([
    ['www.cff.org', 'CF Foundation Patient Registry, 2023'],
    ['www.cdc.gov', 'CDC, 2024'],
  ]);
});

test('SMA and CF are spelled out at their first use', () => {
  const text = textOf(main);
  expect(text.indexOf('spinal muscular atrophy (SMA)')).toBe(text.indexOf('SMA') - 25);
  expect(text.indexOf('cystic fibrosis (CF)')).toBe(text.indexOf('CF') - 17);
});

test('both testimonials are samples, and both calls to action are those of the specification', () => {
  expect(main.match(/Sample story/g)).toHaveLength(2);
  expect(CTAS).toMatchObject({
    hero: { event: 'hero_cta_click', label: 'hero_button' },
    closing: { event: 'lower_cta_click', label: 'footer_button' },
  });
  expect(main.match(/<a [^>]*data-cta=/g)).toHaveLength(2);
  expect(textOf(main).match(/Join the Drive \(opens in new tab\)/g)).toHaveLength(2);
});

test('the landing page is short', () => {
  expect(wordsOf(textOf(main)).length).toBeLessThan(1200);
});

describe.each(LANGUAGES)('the header (%s)', (language) => {
  /** The links of the header after the skip link, and the one of the page that it is on. */
  const headerOf = (html: string) => {
    const [header = ''] = html.split('</header>');
    const links = [...header.matchAll(/<a [^>]*href="([^"]*)"[^>]*>/g)];
    const current = links.filter(([tag]) => tag.includes('aria-current="page"'));
    return { links: links.slice(1).map(([, href]) => href), current: current.map(([, at]) => at) };
  };
  const home = pathIn(language, '/');
  const questions = pathIn(language, HELP_PATHS.questions);
  const other = LANGUAGES.find((each) => each !== language) ?? language;

  test.each(Object.values(HELP_PATHS))(
    'of %s leads home, to the questions and to its translation',
    (path) => {
      expect(headerOf(read(`${pathIn(language, path)}index.html`))).toEqual({
        links: [home, questions, pathIn(other, path)],
        current: path === HELP_PATHS.questions ? [questions] : [],
      });
    },
  );

  test.each([
    ['client', '/404.html'],
    ['answers', '/registered.html'],
    ['answers', '/not-registered.html'],
    ['answers', '/create-account.html'],
  ])(
    'of a page without an address of its own leads home, to the questions and to the other language: %s%s',
    (folder, file) => {
      const html = readFileSync(join(DIST, folder, pathIn(language, file)), 'utf8');
      expect(headerOf(html)).toEqual({
        links: [home, questions, pathIn(other, '/')],
        current: [],
      });
    },
  );
});

test('the 404 page says why it is there', () => {
  expect(textOf(read('404.html'))).toContain('This page does not exist, or it has moved.');
});

test('robots.txt and gpc.json tell robots and browsers the site’s rules', () => {
  expect(read('robots.txt')).toContain('Disallow: /api/');
  expect(read('.well-known/gpc.json')).toContain('"gpc":true');
});

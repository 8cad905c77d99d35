import { brotliCompressSync, constants } from 'node:zlib';
import { site } from 'virtual:site';
import { beforeAll, describe, expect, test } from 'vitest';
import { CTAS } from '#contract/cta.ts';
import { readingLevel, wordsOf } from '../helpers/browser/reading-level.ts';
import { type BuiltPages, buildPages, textOf } from '../helpers/run/built-pages.ts';

let pages: BuiltPages;
let spanish = '';
beforeAll(async () => {
  pages = await buildPages();
  spanish = await pages.read('es/index.html');
});

const main = () => pages.index.match(/<main.*<\/main>/s)?.[0] ?? '';
const headings = (html: string, level = '[1-6]') =>
  [...html.matchAll(new RegExp(`<h(${level})[^>]*>(.*?)</h\\1>`, 'gs'))].map((match) => ({
    level: Number(match[1]),
    text: textOf(match[2] ?? '').replace(/\s+/g, ' '),
  }));
const tags = (html: string, name: string) => html.match(new RegExp(`<${name}\\s[^>]*>`, 'g')) ?? [];
const SECTIONS = [
  'The SMA journey is improving, but not fast enough',
  'How It Works',
  'What You Get',
  'Your Data, Your Choices',
  'Sample Stories',
  'Ready to Drive Change?',
];
describe('the landing page', () => {
  test('has the sections of the specification in their order, with or without others', () => {
    const shown = headings(main(), '2').map((heading) => heading.text);
    expect(shown.filter((text) => SECTIONS.includes(text))).toEqual(SECTIONS);
  });

  test.each([
    `The ${site.productName} is a nationwide patient data initiative in the United States.`,
    `Run by ${site.operator}`,
    'Cost Free, about 10 minutes',
    'For a child A parent or guardian may join',
    'Fragmented care',
    'Exhausting fatigue',
    'Limited research insights',
    'Over 65 years',
    '“Over 65 years” is hoped for, and not yet reached.',
    'compliant',
    'Connect your records',
    'Get personalized insights',
    'Drive research forward',
    'Organized records',
    'Personalized care insights',
    'Research impact',
    'encrypted in transit and at rest',
    'You can delete your account at any time.',
    `Powered by ${site.partnerName}, a health insights platform operating since 2017.`,
    'pediatric neurologist',
  ])('says "%s"', (words) => expect(textOf(main())).toContain(words));

  test('names the operator at its end, with the ways to ask', () => {
    expect(textOf(pages.index)).toContain(`${site.operator} runs this site.`);
    expect(pages.index).toContain(`href="mailto:${site.contactEmail}"`);
    expect(pages.index).toContain(`href="${site.phoneUrl}"`);
  });

  test('labels both testimonials as samples', () => {
    expect(main().match(/Sample story/g)).toHaveLength(2);
    expect(textOf(main())).toContain('No real person said them.');
  });

  test('names the source and the year of each figure, with a link', () => {
    const links = [...main().matchAll(/<a (?![^>]*target)[^>]*href="(https:[^"]*)">(.*?)<\/a>/g)];
    expect(links.map(([, href, text]) => [new URL(href ?? '').host, text])).toEqual([
      ['www.cff.org', 'CF Foundation Patient Registry, 2023'],
      ['www.cdc.gov', 'CDC, 2023'],
    ]);
  });

  test('says with the insights that they are no advice, and with the button what it opens', () => {
    const text = textOf(main());
    const insights = text.slice(text.indexOf('Get personalized insights'));
    expect(insights.indexOf('It is not medical advice.')).toBeLessThan(200);
    expect(text).toContain(
      `The button opens the site of ${site.partnerName}, our partner. You create your account there.`,
    );
  });

  test('leads to the answers once from its end and once from its footer, in the page’s language', async () => {
    for (const [html, path] of [
      [pages.index, '/help/'],
      [spanish, '/es/help/'],
    ] as const) {
      const [start = '', end = ''] = html.split('<footer');
      for (const part of [start.split('id="register"')[1] ?? '', end]) {
        expect(part.match(new RegExp(`<a [^>]*href="${path}"`, 'g'))).toHaveLength(1);
      }
    }
  });

  test('the page of the film in words is linked at the film', () => {
    for (const [home, path] of [
      [pages.index, '/help/film/'],
      [spanish, '/es/help/film/'],
    ] as const) {
      const film = home.slice(home.indexOf('id="how-it-works"'), home.indexOf('id="benefits"'));
      expect(film).toMatch(new RegExp(`<a [^>]*href="${path}".*<video`, 's'));
    }
  });

  test('has one large number of years with cystic fibrosis, and says who predicts 61', async () => {
    for (const [html, hope, registry] of [
      [
        pages.index,
        '“Over 65 years” is hoped for, and not yet reached.',
        'CF Foundation Patient Registry’s 2023 report predicts: half the babies born from 2019 to 2023 will live past 61.',
      ],
      [
        spanish,
        '“Más de 65 años” es una meta que todavía no se alcanza.',
        'Según el registro de la CF Foundation, la mitad de los nacidos de 2019 a 2023 vivirá más de 61 años.',
      ],
    ] as const) {
      const bars = [...html.matchAll(/<dd>(.*?)<svg/gs)].map(([, words = '']) => textOf(words));
      expect(bars).toEqual([expect.stringContaining('65'), expect.stringContaining('78')]);
      expect(textOf(html)).toContain(`${hope} `);
      expect(textOf(html)).toContain(registry);
    }
  });

  test('without a confirmed law says that the partner must be compliant, and links its policy there', async () => {
    for (const [html, title, duty] of [
      [
        pages.index,
        'Compliant',
        'Wayfield Health must be compliant with health privacy laws. Its privacy policy names which.',
      ],
      [
        spanish,
        'Conforme a la ley',
        'Wayfield Health debe cumplir las leyes de privacidad de la salud. Su política de privacidad dice cuáles.',
      ],
    ] as const) {
      const [, card = ''] = new RegExp(`<h3[^>]*>${title}</h3>(.*?)</li>`, 's').exec(html) ?? [];
      expect(textOf(card)).toContain(duty);
      expect(card).toContain(`href="${site.privacyUrl}"`);
    }
  });

  test('its footer says that it keeps the network address, and how to reach a person', () => {
    const [, footer = ''] = pages.index.split('<footer');
    expect(textOf(footer)).toContain('With each press we keep your network (IP) address.');
    expect(footer).toContain(`href="mailto:${site.contactEmail}"`);
  });

  test('links the questions and the other language in its header', async () => {
    for (const [html, questions, other] of [
      [pages.index, '/help/questions/', '/es/'],
      [spanish, '/es/help/questions/', '/'],
    ] as const) {
      const [header = ''] = html.split('</header>');
      const links = [...header.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
      expect(links).toEqual(['#main', questions, other]);
    }
  });

  test('presses nobody: no word of guilt, hurry or fear', async () => {
    const pressing =
      /\b(next child|every family|don.t wait|hurry|before it is too late|suffer|victim|stays in your hands)/i;
    expect(textOf(pages.index)).not.toMatch(pressing);
    expect(textOf(spanish)).not.toMatch(/víctima|sufre|no espere|apúrese/i);
  });

  test('spells out SMA and CF at their first use', () => {
    const text = textOf(main());
    expect(text.indexOf('spinal muscular atrophy (SMA)')).toBe(text.indexOf('SMA') - 25);
    expect(text.indexOf('cystic fibrosis (CF)')).toBe(text.indexOf('CF') - 17);
  });

  test('has the two calls to action of the specification', () => {
    expect(CTAS).toMatchObject({
      hero: { event: 'hero_cta_click', label: 'hero_button' },
      closing: { event: 'lower_cta_click', label: 'footer_button' },
    });
    const links = tags(pages.index, 'a').filter((tag) => tag.includes('data-cta='));
    expect(links).toHaveLength(2);
    expect(textOf(main()).match(/Join the Drive \(opens in new tab\)/g)).toHaveLength(2);
  });

  test('is short and plain', () => {
    // Headings are not sentences. They would lower the average.
    const paragraphs = main().match(/<p[ >].*?<\/p>/gs) ?? [];
    const { wordsPerSentence, grade } = readingLevel(paragraphs.map(textOf));
    expect(wordsOf(textOf(main())).length).toBeLessThan(1200);
    expect(wordsPerSentence).toBeLessThanOrEqual(16);
    expect(grade).toBeLessThanOrEqual(6);
  });
});

test('the 404 page says why it is there, and fits in one round trip', () => {
  expect(textOf(pages.missing)).toContain('This page does not exist, or it has moved.');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  expect(brotliCompressSync(pages.missing, { params }).length).toBeLessThanOrEqual(14_000);
});

test.each([
  ['robots.txt', 'Disallow: /api/'],
  ['.well-known/gpc.json', '"gpc":true'],
])('%s names the site', async (file, words) => {
  expect(await pages.read(file)).toContain(words);
});

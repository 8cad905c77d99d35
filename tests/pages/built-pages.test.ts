import { globSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { site } from 'virtual:site';
import { beforeAll, describe, expect, test } from 'vitest';
import { CTAS } from '#contract/cta.ts';
import { SCENES } from '#words/en/film-script.ts';
import { SPANISH_SCENES } from '#words/es/film-script.ts';
import { readingLevel, wordsOf } from '../helpers/browser/reading-level.ts';
import { type BuiltPages, buildPages, textOf } from '../helpers/run/built-pages.ts';
import { siteFile } from '../helpers/run/site-file.ts';

let pages: BuiltPages;
beforeAll(async () => {
  pages = await buildPages();
});

const main = () => pages.index.match(/<main.*<\/main>/s)?.[0] ?? '';
const headings = (html: string, level = '[1-6]') =>
  [...html.matchAll(new RegExp(`<h(${level})[^>]*>(.*?)</h\\1>`, 'gs'))].map((match) => ({
    level: Number(match[1]),
    text: textOf(match[2] ?? '').replace(/\s+/g, ' '),
  }));
const tags = (html: string, name: string) => html.match(new RegExp(`<${name}\\s[^>]*>`, 'g')) ?? [];
const bytes = (html: string) =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

describe('the landing page', () => {
  test('has its sections in the order of the specification', () => {
    expect(headings(main(), '2').map((heading) => heading.text)).toEqual([
      'The SMA journey is improving, but not fast enough',
      'How It Works',
      'What You Get',
      'Your Data, Your Choices',
      'Sample Stories',
      'Ready to Drive Change?',
    ]);
  });

  test.each([
    'Fragmented care',
    'Exhausting fatigue',
    'Limited research insights',
    'Over 65 years',
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
      [await pages.read('es/index.html'), '/es/help/'],
    ] as const) {
      const [start = '', end = ''] = html.split('<footer');
      for (const part of [start.split('id="register"')[1] ?? '', end]) {
        expect(part.match(new RegExp(`<a [^>]*href="${path}"`, 'g'))).toHaveLength(1);
      }
    }
  });

  test('every scene of the film is on a page in words, which is linked at the film', async () => {
    for (const [home, path, scenes] of [
      [pages.index, '/help/film/', SCENES],
      [await pages.read('es/index.html'), '/es/help/film/', SPANISH_SCENES],
    ] as const) {
      const film = home.slice(home.indexOf('id="how-it-works"'), home.indexOf('id="benefits"'));
      expect(film).toMatch(new RegExp(`<a [^>]*href="${path}".*<video`, 's'));
      const words = textOf(await pages.read(`${path.slice(1)}index.html`)).replace(/\s+/g, ' ');
      for (const { seen, captions } of scenes) {
        const all = [...captions.map(({ text }) => text.replace('\n', ' ')), seen];
        for (const sentence of all) expect(words).toContain(sentence);
      }
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
        await pages.read('es/index.html'),
        '“Más de 65 años” es una meta que todavía no se alcanza.',
        'Según el registro de la CF Foundation (2023), la mitad de los nacidos de 2019 a 2023 vivirá más de 61 años.',
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
        await pages.read('es/index.html'),
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
      [await pages.read('es/index.html'), '/es/help/questions/', '/'],
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
    expect(textOf(await pages.read('es/index.html'))).not.toMatch(
      /víctima|sufre|no espere|apúrese/i,
    );
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
  });

  test('has a title, a description and a share card without the illness', () => {
    const metas = [...tags(pages.index, 'meta')].filter((tag) =>
      /description|og:title|alt/.test(tag),
    );
    expect(metas.length).toBeGreaterThanOrEqual(4);
    for (const meta of metas) expect(meta).not.toMatch(/sma|spinal|atrophy|patient/i);
    expect(pages.index).toContain(`<link rel="canonical" href="${site.siteUrl}/"`);
    expect(pages.index).toContain(`content="${site.siteUrl}/og/share.png"`);
  });
});

describe('the words of the page', () => {
  test('are few, short and plain', () => {
    // Headings are not sentences. They would lower the average.
    const paragraphs = main().match(/<p[ >].*?<\/p>/gs) ?? [];
    const { wordsPerSentence, grade } = readingLevel(paragraphs.map(textOf));
    expect(wordsOf(textOf(main())).length).toBeLessThan(1200);
    expect(wordsPerSentence).toBeLessThanOrEqual(16);
    expect(grade).toBeLessThanOrEqual(6);
  });
});

describe('the 404 page', () => {
  test('says why it is there, and is not for search engines', () => {
    expect(textOf(pages.missing)).toContain('This page does not exist, or it has moved.');
    expect(pages.missing).toContain('<meta name="robots" content="noindex"');
  });
});

describe('the first load', () => {
  test('of the 404 page fits in one round trip', () => {
    expect(bytes(pages.missing)).toBeLessThanOrEqual(14_000);
  });
});

describe('the other files of the site', () => {
  test.each([
    ['robots.txt', 'Disallow: /api/'],
    ['.well-known/gpc.json', '"gpc":true'],
  ])('%s names the site', async (file, words) => {
    expect(await pages.read(file)).toContain(words);
  });
});

// Last, because it builds into the same folder again.
describe('with the facts set', () => {
  test('the page names the country, the cost, the time and the law with the person who confirmed it', async () => {
    const facts = {
      operator: 'Road Forward Foundation',
      phone: '+1 555 010 0199',
      guardians: true,
      forecastSource: 'UK CF Registry, 2024',
      forecastUrl: 'https://registry.example/2024',
      country: 'US',
      cost: 'free',
      signUpMinutes: 5,
      law: { en: 'HIPAA, the US law', es: 'HIPAA, la ley de Estados Unidos' },
      lawConfirmedBy: { en: 'Ada Lovelace, counsel' },
      funder: { es: 'la fundación Camino' },
      reviewedOn: '2026-01-31',
      reviewer: { en: 'Grace Hopper, neurologist' },
    };
    const { index, read } = await buildPages(siteFile({ facts }));
    for (const words of [
      'nationwide patient data initiative in the United States.',
      'Run by Road Forward Foundation',
      'Cost Free, about 5 minutes',
      'For a child A parent or guardian may join',
      'Road Forward Foundation runs this site.',
      '“Over 65 years” is the forecast of UK CF Registry, 2024.',
      'Compliant',
      `${site.partnerName} follows a law that protects health data: HIPAA, the US law. Confirmed by Ada Lovelace, counsel.`,
    ]) {
      expect(textOf(index)).toContain(words);
    }
    const spanish = await read('es/index.html');
    expect(textOf(spanish)).toContain(
      'una iniciativa nacional de datos de pacientes en Estados Unidos.',
    );
    expect(textOf(spanish)).toContain('Costo Gratis, unos 5 minutos');
    expect(index).toContain('href="tel:+15550100199"');
    expect(index).toContain('href="https://registry.example/2024"');
    // A fact in another language than the page says which one.
    const ofEnglish = '<span lang="en">Ada Lovelace, counsel</span>';
    expect(spanish).toContain(
      `datos de salud: HIPAA, la ley de Estados Unidos. Confirmado por ${ofEnglish}.`,
    );
    const who = 'help/who/index.html';
    const [spanishHelp, englishHelp] = [await read(`es/${who}`), await read(who)];
    expect(spanishHelp).toContain(`Confirmado por ${ofEnglish}.`);
    expect(spanishHelp).toContain('por <span lang="en">Grace Hopper, neurologist</span>.');
    expect(spanishHelp).toContain('El dinero viene de la fundación Camino.');
    expect(englishHelp).toContain('comes from <span lang="es">la fundación Camino</span>.');
    for (const html of [index, englishHelp]) expect(html).not.toContain('<span lang="en"');
  }, 60_000);
});

describe('a product whose name starts with "The"', () => {
  test('gets no second article', async () => {
    const named = await buildPages(siteFile({ productName: 'The Long Road', registerForm: true }));
    const answer = textOf(await named.read('registered/index.html'));
    expect(answer).toContain('Welcome to The Long Road!');
    expect(textOf(named.index)).toContain(
      'The Long Road is a nationwide patient data initiative in the United States.',
    );
    for (const html of [named.index, named.missing, answer]) expect(html).not.toMatch(/the the/i);
  }, 60_000);

  test('no text writes the article itself', () => {
    const files = globSync('{build,components,pages,renderer,server}/**/*.{ts,tsx}');
    expect(files.length).toBeGreaterThan(100);
    const faulty = files.filter((file) =>
      /\bthe \$?\{[\w.]*productName/i.test(readFileSync(file, 'utf8')),
    );
    expect(faulty).toEqual([]);
  });
});

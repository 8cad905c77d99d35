/** What the hub, the questions, "who" and "next" say, with and without the operator's facts. */

import { site } from 'virtual:site';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { type Facts, readSiteConfig, SITE_FILE } from '#site.config.ts';
import { hub as hubEn } from '#words/en/help/hub.tsx';
import { layout as layoutEn } from '#words/en/help/layout.ts';
import { next as nextEn } from '#words/en/help/next.tsx';
import { questions as questionsEn } from '#words/en/help/questions.tsx';
import { who as whoEn } from '#words/en/help/who.tsx';
import { hub as hubEs } from '#words/es/help/hub.tsx';
import { layout as layoutEs } from '#words/es/help/layout.ts';
import { next as nextEs } from '#words/es/help/next.tsx';
import { questions as questionsEs } from '#words/es/help/questions.tsx';
import { who as whoEs } from '#words/es/help/who.tsx';
import { factsIn } from '#words/facts-in.ts';
import { ANSWERS, HELP_PATHS, type HelpWords } from '#words/help.ts';
import { wordsOf } from '../../helpers/browser/reading-level.ts';
import { NO_FACTS } from '../../helpers/run/all-facts.ts';
import { type BuiltPages, buildPages, textOf } from '../../helpers/run/built-pages.ts';
import { siteFile } from '../../helpers/run/site-file.ts';

const WORDS = {
  en: { hub: hubEn, questions: questionsEn, who: whoEn, next: nextEn, layout: layoutEn },
  es: { hub: hubEs, questions: questionsEs, who: whoEs, next: nextEs, layout: layoutEs },
};
const PAGES = ['hub', 'questions', 'who', 'next'] as const;
/** The order of the research: people and money first, then joining, the data, and the way out. */
const QUESTIONS = [
  ['who', 'Who is behind this?'],
  ['funding', 'Who pays for this?'],
  ['cost', 'What does it cost?'],
  ['eligibility', 'Who can join?'],
  ['next', 'What happens after I press the button?'],
  ['clinics', 'Which clinics can I link?'],
  ['access', 'Who can see my data?'],
  ['choice', 'Do I have to share?'],
  ['insurers', 'What about insurers and employers?'],
  ['leaving', 'How can I leave, and what remains?'],
  ['advice', 'Is this medical advice?'],
  ['registries', 'I am in another registry. What changes?'],
];
const NONE = factsIn(readSiteConfig(siteFile({ facts: NO_FACTS })).facts, 'en');
const EXAMPLE = factsIn(readSiteConfig().facts, 'en');

/** Each fact alone, and the words that carry it in each language. */
const CLAIMS: [Partial<Facts>, { en: string; es: string }][] = [
  [{ operator: 'Op Org' }, { en: 'Op Org runs this site.', es: 'Op Org está a cargo' }],
  [{ funder: 'Fund Org' }, { en: 'comes from Fund Org', es: 'viene de Fund Org' }],
  [{ oversight: 'Board 7' }, { en: 'Board 7. An ethics', es: 'Board 7. Un comité' }],
  [{ phone: '+1 555 010 0199' }, { en: 'Phone: +1 555', es: 'Teléfono: +1 555' }],
  [{ minAge: 18 }, { en: 'from age 18', es: 'desde los 18 años' }],
  [{ guardians: true }, { en: 'guardian can join', es: 'tutores pueden inscribir' }],
  [{ guardians: false }, { en: 'guardian cannot join', es: 'no es posible que madres' }],
  [{ country: 'MX' }, { en: 'Country: Mexico', es: 'País: México' }],
  [{ country: 'US' }, { en: 'a law called GINA', es: 'una ley llamada GINA' }],
  [{ cost: 'free' }, { en: 'Joining is free.', es: 'Participar es gratis.' }],
  [{ signUpMinutes: 7 }, { en: 'about 7 minutes', es: 'unos 7 minutos' }],
  [
    { law: 'HIPAA', lawConfirmedBy: 'Ada Lovelace' },
    { en: 'health data: HIPAA. Confirmed by Ada', es: 'datos de salud: HIPAA. Confirmado por Ada' },
  ],
  [{ clinicsUrl: 'https://x.example/list' }, { en: 'keeps a list of', es: 'tiene una lista de' }],
];

/** The text of each section of the four pages in one language, and that of their leads. */
function sectionsWith(facts: Partial<Facts>, language: 'en' | 'es'): string[] {
  const pages = PAGES.map((page): HelpWords => WORDS[language][page](site, { ...NONE, ...facts }));
  const sections = pages.flatMap(({ lead, sections = {} }) => [
    lead,
    ...Object.values(sections).map((section) => section && [section.heading, section.body]),
  ]);
  return sections.map((words) => textOf(renderToStaticMarkup(<div>{words}</div>)));
}

const textWith = (facts: Partial<Facts>, language: 'en' | 'es'): string =>
  sectionsWith(facts, language).join('\n');

const stopsIn = (html: string) => html.match(/<(a [^>]*href|button|input|summary)/g)?.length ?? 0;

/** The number of links in the answers of a page. */
function linksWith(facts: Partial<Facts>, language: 'en' | 'es', page: (typeof PAGES)[number]) {
  const { sections = {} }: HelpWords = WORDS[language][page](site, { ...NONE, ...facts });
  const bodies = Object.values(sections).map((section) =>
    renderToStaticMarkup(<div>{section?.body}</div>),
  );
  return stopsIn(bodies.join(''));
}

describe.each(LANGUAGES)('in the language "%s"', (language) => {
  test.each(CLAIMS)('the pages say %j, and only if it is set', (facts, { [language]: claim }) => {
    expect(textWith(facts, language)).toContain(claim);
    expect(textWith({}, language)).not.toContain(claim);
  });

  test.each([
    ['no fact', {}],
    ['the example', EXAMPLE],
  ])('with %s, each answer that says "ask us" has the address', (_, facts) => {
    const asking = sectionsWith(facts, language).filter((text) =>
      /\b(?:ask us|write to us|pregúntenos|escríbanos)\b/i.test(text),
    );
    expect(asking.length).toBeGreaterThan(2);
    for (const text of asking) expect(text).toContain(site.contactEmail);
  });

  test.each([{ law: 'HIPAA' }, { lawConfirmedBy: 'Ada Lovelace' }])(
    '%j alone shows neither the law nor the person',
    (facts) => {
      expect(textWith(facts, language)).toBe(textWith({}, language));
    },
  );

  test('the law of the US is not shown to families elsewhere', () => {
    expect(textWith({ country: 'MX' }, language)).not.toContain('GINA');
  });

  test('a review shows its day and, if set, its reviewer', () => {
    const { layout } = WORDS[language];
    expect(layout(site, NONE).reviewed).toBeNull();
    const reviewed = { ...NONE, reviewedOn: '2026-01-31' };
    expect(layout(site, reviewed).reviewed).toMatch(/31.*2026\.$/);
    expect(layout(site, { ...reviewed, reviewer: 'Dr. Doe' }).reviewed).toMatch(/Dr. Doe\.$/);
  });
});

describe('the built help pages', () => {
  let pages: BuiltPages;
  beforeAll(async () => {
    pages = await buildPages(SITE_FILE, 'node_modules/.cache/help-pages');
  });
  const read = (path: string) => pages.read(`${path.slice(1)}index.html`);
  const headings = (html: string) =>
    [...html.matchAll(/<h2 id="([^"]*)"[^>]*>(.*?)<\/h2>/gs)].map(([, id = '', text = '']) => [
      id,
      textOf(text),
    ]);

  test.each([
    ['en', /go to Wayfield Health, never to this site\..*We count button presses and visits\./],
    [
      'es',
      /van a Wayfield Health, nunca a este sitio\..*Contamos los clics en los botones y las visitas\./,
    ],
  ] as const)(
    'in "%s", the hub leads first to the cost, the data and the rule for a child, and they are answered there',
    async (language, leadOnData) => {
      const [top = ''] = (await read(pathIn(language, HELP_PATHS.hub))).split('<h2');
      for (const to of ['/help/questions/#cost', '/help/privacy/', '/help/questions/#eligibility'])
        expect(top).toContain(`href="${pathIn(language, to)}"`);
      const privacy = await read(pathIn(language, HELP_PATHS.privacy));
      expect(textOf(/<h1.*?<\/p>/s.exec(privacy)?.[0] ?? '')).toMatch(leadOnData);
      const questions = await read(pathIn(language, HELP_PATHS.questions));
      const answer = (id: string) =>
        textOf(new RegExp(`<h2 id="${id}".*?</section>`, 's').exec(questions)?.[0] ?? '');
      expect(answer('cost')).toMatch(/is free|es gratis/);
      expect(answer('eligibility')).toMatch(/guardian can join for a child|inscribir a un menor/);
    },
  );

  test('ask the twelve questions in the order of the research', async () => {
    expect(headings(await read('/help/questions/'))).toEqual(QUESTIONS);
  });

  test('have the same anchors in Spanish', async () => {
    for (const page of PAGES) {
      const [english, spanish] = await Promise.all([
        read(HELP_PATHS[page]),
        read(pathIn('es', HELP_PATHS[page])),
      ]);
      expect(headings(spanish).map(([id]) => id)).toEqual(headings(english).map(([id]) => id));
      expect(headings(english).length).toBeGreaterThan(0);
      expect(textOf(spanish)).not.toContain(headings(english)[0]?.[1]);
    }
  });

  test.each(LANGUAGES)('ask a clinician to sign no one up, in "%s"', async (language) => {
    const html = await read(pathIn(language, HELP_PATHS.clinicians));
    const text = textOf(html);
    expect(text).toMatch(/Do not sign anyone else up\.|No inscriba a otra persona\./);
    const own = WORDS[language].layout(site, NONE);
    expect(text).toContain(own.cliniciansClosing.title);
    expect(text).not.toContain(own.closing.title);
    expect(textOf(await read(pathIn(language, HELP_PATHS.who)))).toContain(own.closing.title);
  });

  test.each(LANGUAGES)(
    'have at most 25 tab stops with every fact set, in "%s"',
    async (language) => {
      const every: Partial<Facts> = Object.assign({}, ...CLAIMS.map(([facts]) => facts));
      for (const page of PAGES) {
        const built = stopsIn(await read(pathIn(language, HELP_PATHS[page])));
        const more = linksWith(every, language, page) - linksWith(EXAMPLE, language, page);
        expect(built + more, page).toBeLessThanOrEqual(25);
      }
    },
  );

  describe.each(
    LANGUAGES.flatMap((language) =>
      Object.values(HELP_PATHS).map((path) => [language, path] as const),
    ),
  )('%s %s', (language, path) => {
    test('asks to join only after the answers, and says where the button leads', async () => {
      const html = await read(pathIn(language, path));
      const [before = '', after = ''] = html.split('data-cta="help"');
      expect(before).toMatch(/<h1.*<h2/s);
      expect(after).not.toMatch(/<h[1-3]/);
      const end = textOf(before.slice(before.lastIndexOf('<h2')));
      expect(end).toContain(site.partnerName);
      expect(end).toMatch(/account there|crea usted su cuenta|crea cada una su propia cuenta/);
    });

    test('links to the hub and to the same page in the other language', async () => {
      const html = await read(pathIn(language, path));
      const other = LANGUAGES.find((each) => each !== language) ?? language;
      expect(html).toMatch(new RegExp(`<a [^>]*href="${pathIn(other, path)}" lang="${other}"`));
      const hub = `href="${pathIn(language, HELP_PATHS.hub)}"`;
      expect(html.includes(hub)).toBe(path !== HELP_PATHS.hub);
    });

    test('has the next answer if there is one, all answers and the landing page after its button', async () => {
      const [, end = ''] = (await read(pathIn(language, path))).split('data-cta="help"');
      const [, nav = ''] = /<nav[^>]*>(.*?)<\/nav>/s.exec(end) ?? [];
      const { hub } = HELP_PATHS;
      const answers: string[] = ANSWERS.map((page) => HELP_PATHS[page]);
      const next = answers.slice(answers.indexOf(path) + 1).slice(0, 1);
      const ways = path === hub ? [...next, '/'] : [...next, hub, '/'];
      expect([...nav.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(
        ways.map((way) => pathIn(language, way)),
      );
    });

    test('has short headings and at most 25 tab stops', async () => {
      const html = await read(pathIn(language, path));
      for (const [, text = ''] of headings(html)) {
        expect(wordsOf(text).length, text).toBeLessThanOrEqual(8);
      }
      expect(stopsIn(html)).toBeLessThanOrEqual(25);
    });

    test('links only to pages and places that exist', async () => {
      const html = await read(pathIn(language, path));
      const links = [
        ...html.matchAll(/<a [^>]*href="(\/(?!create-account)[^"#]*|)(?:#([^"]*))?"/g),
      ];
      for (const [, page = '', id] of links) {
        const target = page === '' ? html : await read(page);
        if (id) expect(target).toContain(`id="${id}"`);
      }
    });
  });
});

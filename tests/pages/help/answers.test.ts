/** The words of the help pages, and their links. */
import { site } from 'virtual:site';
import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { SITE_FILE } from '#site.config.ts';
import { ANSWERS, HELP, HELP_LAYOUT, HELP_PATHS, helpWords } from '#words/help.ts';
import { wordsOf } from '../../helpers/browser/reading-level.ts';
import { type BuiltPages, buildPages, textOf } from '../../helpers/run/built-pages.ts';

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

const ASKING = /\b(?:ask us|write to us|pregúntenos|escríbanos)\b/i;
const stopsIn = (html: string) => html.match(/<(a [^>]*href|button|input|summary)/g)?.length ?? 0;

test.each(LANGUAGES)('each answer that says "ask us" has the address, in "%s"', (language) => {
  const asking = Object.values(HELP)
    .flatMap(({ [language]: { sections } }) => sections)
    .map(({ heading, html }) => `${heading} ${textOf(html)}`)
    .filter((text) => ASKING.test(text));
  expect(asking.length).toBeGreaterThan(3);
  for (const text of asking) expect(text).toContain(site.contactEmail);
});

test.each(LANGUAGES)(
  'the steps after the button name the portal if there is one, in "%s"',
  (language) => {
    for (const portalHost of [null, 'portal.example']) {
      const { sections } = helpWords('questions', language, { ...site, portalHost });
      const { html = '' } = sections.find(({ anchor }) => anchor === 'next') ?? {};
      expect(html.split('</ol>')[0]?.match(/<li>/g)).toHaveLength(5);
      expect(html.includes('portal.example')).toBe(portalHost !== null);
      expect(html).toContain(site.partnerName);
    }
  },
);

test('a page has the same anchors and drawings in every language', () => {
  for (const { en, es } of Object.values(HELP)) {
    const partsOf = ({ drawing, sections }: typeof en) =>
      sections.map((section) => [drawing?.name, section.anchor, section.drawing?.name]);
    expect(partsOf(es)).toEqual(partsOf(en));
    expect(en.sections.length).toBeGreaterThan(0);
    const headings = new Set(en.sections.map(({ heading }) => heading));
    for (const { heading } of es.sections) expect(headings).not.toContain(heading);
  }
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

  test.each(LANGUAGES)('ask a clinician to sign no one up, in "%s"', async (language) => {
    const html = await read(pathIn(language, HELP_PATHS.clinicians));
    const text = textOf(html);
    expect(text).toMatch(/Do not sign anyone else up\.|No inscriba a otra persona\./);
    const own = HELP_LAYOUT[language];
    expect(text).toContain(own.cliniciansClosing.title);
    expect(text).not.toContain(own.closing.title);
    expect(textOf(await read(pathIn(language, HELP_PATHS.who)))).toContain(own.closing.title);
  });

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

/** The words of the help pages, and their links. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { site } from 'virtual:site';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { REVIEWS } from '#words/dates.ts';
import { ANSWERS, HELP, HELP_PATHS } from '#words/help.ts';
import { buildSite } from '../helpers/run/build-sites.ts';
import { textOf } from '../helpers/words/page-text.ts';

/** The order of the research: people and money first, then joining, the data, and the way out. */
const QUESTIONS =
  'who funding cost eligibility next clinics access choice insurers leaving advice registries';

/** The pages with medical content. */
const MEDICAL = ['easy', 'questions', 'clinicians'] as const;

const ASKING = /\b(?:ask us|write to us|pregúntenos|escríbanos)\b/i;

test.each(LANGUAGES)('each answer that says "ask us" has the address, in "%s"', (language) => {
  const asking = Object.values(HELP)
    .flatMap(({ [language]: { sections } }) => sections)
    .map(({ heading, html }) => `${heading} ${textOf(html)}`)
    .filter((text) => ASKING.test(text));
  expect(asking.length).toBeGreaterThan(3);
  for (const text of asking) expect(text).toContain(site.contactEmail);
});

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

const DIST = await buildSite('tracked');
const read = (path: string) => readFileSync(join(DIST, 'client', path, 'index.html'), 'utf8');

test.each([
  ['en', /go to Wayfield Health, never to this site\..*We count button presses and visits\./],
  [
    'es',
    /van a Wayfield Health, nunca a este sitio\..*Contamos los clics en los botones y las visitas\./,
  ],
] as const)(
  'in "%s", the hub leads first to the cost, the data and the rule for a child, and they are answered there',
  (language, leadOnData) => {
    const [top = ''] = read(pathIn(language, HELP_PATHS.hub)).split('<h2');
    for (const to of ['/help/questions/#cost', '/help/privacy/', '/help/questions/#eligibility'])
      expect(top).toContain(`href="${pathIn(language, to)}"`);
    const privacy = read(pathIn(language, HELP_PATHS.privacy));
    expect(textOf(/<h1.*?<\/p>/s.exec(privacy)?.[0] ?? '')).toMatch(leadOnData);
    const questions = read(pathIn(language, HELP_PATHS.questions));
    const answer = (id: string) =>
      textOf(new RegExp(`<h2 id="${id}".*?</section>`, 's').exec(questions)?.[0] ?? '');
    expect(answer('cost')).toMatch(/is free|es gratis/);
    expect(answer('eligibility')).toMatch(/guardian can join for a child|inscribir a un menor/);
  },
);

test.each([
  ['en', /\/k\/visit\s+When you open a page\. Again, if you leave at once\./],
  ['es', /\/k\/visit\s+Cuando abre una página o se va enseguida,/],
] as const)('in "%s", the privacy page says that a brief view is sent again', (language, sent) => {
  expect(textOf(read(pathIn(language, HELP_PATHS.privacy)))).toMatch(sent);
});

test('the twelve questions are in the order of the research', () => {
  const headings = read('/help/questions/').matchAll(/<h2 id="([^"]*)"/g);
  expect([...headings].map(([, id]) => id).join(' ')).toBe(QUESTIONS);
});

test.each(LANGUAGES)('the page of questions begins with the list of them, in "%s"', (language) => {
  const html = read(pathIn(language, HELP_PATHS.questions));
  const [before = '', ...after] = html.split('<h2');
  const [, list = ''] = before.split('</h1>');
  const pairs = (part: string, pattern: RegExp) =>
    [...part.matchAll(pattern)].map(([, id, words = '']) => [id, textOf(words)]);
  const listed = pairs(list, /<a [^>]*href="#([^"]*)"[^>]*>(.*?)<\/a>/gs);
  expect(listed).toHaveLength(12);
  expect(listed).toEqual(pairs(`<h2${after.join('<h2')}`, /<h2 id="([^"]*)"[^>]*>(.*?)<\/h2>/gs));
});

test('each page with medical content names its review, with one day in both languages, and no other page does', () => {
  expect(Object.keys(REVIEWS).sort()).toEqual(MEDICAL.toSorted());
  for (const [page, path] of Object.entries(HELP_PATHS)) {
    const { on = '' } = REVIEWS[page as keyof typeof REVIEWS] ?? {};
    const [year, , day] = on.split('-').map(Number);
    const lines = LANGUAGES.map((language) => {
      const text = textOf(read(pathIn(language, path)));
      return text.match(/(?:reviewed on|revisión:) (.*?),? (?:by|por) (?:Dr|la Dra)\./)?.[1];
    });
    const inWords = [`\\w+ ${day}, ${year}`, `${day} de \\w+ de ${year}`];
    const expected = inWords.map((words) => expect.stringMatching(`^${words}$`));
    expect([page, ...lines]).toEqual([page, ...(on ? expected : [undefined, undefined])]);
  }
});

describe.each(
  LANGUAGES.flatMap((language) =>
    Object.values(HELP_PATHS).map((path) => [language, path] as const),
  ),
)('%s %s', (language, path) => {
  const html = read(pathIn(language, path));

  test('asks to join after the answers, says where the button leads, and then leads on', () => {
    const [before = '', after = ''] = html.split('data-cta="help"');
    expect(before).toMatch(/<h1.*<h2/s);
    expect(after).not.toMatch(/<h[1-3]/);
    const end = textOf(before.slice(before.lastIndexOf('<h2')));
    expect(end).toContain(site.partnerName);
    expect(end).toMatch(/account there|crea usted su cuenta|crea cada una su propia cuenta/);
    const [, nav = ''] = /<nav[^>]*>(.*?)<\/nav>/s.exec(after) ?? [];
    const { hub } = HELP_PATHS;
    const answers: string[] = ANSWERS.map((page) => HELP_PATHS[page]);
    const next = answers.slice(answers.indexOf(path) + 1).slice(0, 1);
    const ways = path === hub ? [...next, '/'] : [...next, hub, '/'];
    expect([...nav.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(
      ways.map((way) => pathIn(language, way)),
    );
  });

  test('links only to pages and places that exist, and has at most 25 Tab stops, besides the list of questions', () => {
    const links = html.matchAll(/<a [^>]*href="(\/(?!create-account)[^"#]*|)(?:#([^"]*))?"/g);
    for (const [, page = '', id] of links) {
      const target = page === '' ? html : read(page);
      if (id) expect(target).toContain(`id="${id}"`);
    }
    const questions = path === HELP_PATHS.questions ? 12 : 0;
    expect(html.match(/<(a [^>]*href|button|input|summary)/g)?.length).toBeLessThanOrEqual(
      25 + questions,
    );
  });
});

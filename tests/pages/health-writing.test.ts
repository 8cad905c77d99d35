/**
 * The items of the CDC Clear Communication Index that a test can check, on every page and in both
 * languages, with the form and each setting that adds words. docs/writing.md has the scores and
 * what a person must judge.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { BUILDS, buildSite } from '../helpers/run/build-sites.ts';
import { pageText, wordsPerHeading } from '../helpers/words/page-text.ts';
import { inflesz, readingLevel, sentencesOf, wordsOf } from '../helpers/words/reading-level.ts';

const MAX_WORDS_PER_HEADING = 120;
const MAX_WORDS_PER_SENTENCE = 16;
/** A mean hides a long sentence. Spanish needs more words for the same. */
const MAX_WORDS_IN_ONE_SENTENCE: Record<Language, number> = { en: 20, es: 22 };
const MAX_WORDS_IN_HEADING = 8;
const MAX_LIST_ITEMS = 7;
const EASY = { path: '/help/easy/', maxGrade: 5, minEase: 80, maxWords: 12, maxLines: 5 };
const LANDING = { maxGrade: 6, minEase: 65 };
const OTHERS = { maxGrade: 8, minEase: 65 };

/** An exact text of the specification that a rule does not fit. */
const SPECIFIED = 'The SMA journey is improving, but not fast enough';

/**
 * Numbers in words. "One" is left out, because it is a pronoun too ("the one that", "in one
 * place").
 */
const NUMBER_WORDS: Record<Language, RegExp> = {
  en: /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million)\b/gi,
  es: /(?<![\p{L}])(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|treinta|cuarenta|cincuenta|cien|ciento|mil|millón|millones)(?![\p{L}])/giu,
};

/** Second words for a thing that has a name already: the film, the form's registration. */
const OTHER_NAMES: Record<Language, RegExp> = {
  en: /\bvideos?\b|\bmovies?\b/gi,
  es: /pel[ií]cula|botón de registro|(?<![\p{L}])registr(?:arse|arme|ó)(?![\p{L}])|su registro se/giu,
};

interface Term {
  /** The hard word, in all its forms. */
  term: RegExp;
  /** A part of the explanation that must be close to its first use. */
  explained: RegExp;
}

/** Terms that a page explains where it first uses them. */
const TERMS: Record<Language, Term[]> = {
  en: [
    { term: /\bregistr(?:y|ies)\b/i, explained: /list of people|data (?:about|on) people/i },
    { term: /\bIRB\b/, explained: /ethics committee/i },
    { term: /\bethics committee/i, explained: /checks that research/i },
    { term: /\bencrypt/i, explained: /scrambl|locked/i },
    {
      term: /\banonymi[sz]|\bde-identif/i,
      explained: /without (?:your|a|the) name|name.*removed/i,
    },
    { term: /\bconsent\b/i, explained: /says? yes|say yes|agree/i },
    { term: /\bHIPAA\b/, explained: /\blaw\b/i },
    { term: /\bcookies?\b/i, explained: /small (?:file|text)|no cookies/i },
    { term: /\bQR code/i, explained: /square/i },
    { term: /\bWCAG\b/, explained: /Web Content Accessibility Guidelines/ },
    { term: /\bscreen readers?\b/i, explained: /aloud/i },
    {
      term: /\bclinical trials?\b|\btrials?\b/i,
      explained: /test|show.*treatment|treatment works/i,
    },
    { term: /\bSMA\b/, explained: /spinal muscular atrophy \(SMA\)/ },
    { term: /\bCF\b/, explained: /cystic fibrosis \(CF\)/ },
  ],
  es: [
    { term: /\bregistros? de pacientes\b/, explained: /(?:lista|datos) de personas/i },
    { term: /\bcomité de ética/i, explained: /revisa que/i },
    { term: /\bcifra(?:r|do|dos|da|das|n)\b/i, explained: /clave|no se puedan? leer|ilegible/i },
    { term: /\banónim|\banonimiz/i, explained: /sin (?:su|el) nombre/i },
    { term: /\bconsent(?:ir|imiento)\b/i, explained: /decir que sí|dice que sí|de acuerdo/i },
    { term: /\bHIPAA\b/, explained: /\bley\b/i },
    {
      term: /\bcookies?\b/i,
      explained: /archivo pequeño|texto pequeño|no usamos cookies/i,
    },
    { term: /\bcódigo QR/i, explained: /cuadro|cuadrado/i },
    { term: /\bWCAG\b/, explained: /Pautas de Accesibilidad/ },
    { term: /\blector(?:es)? de pantalla/i, explained: /voz alta/i },
    { term: /\bensayos? clínicos?\b/i, explained: /prueba|tratamiento/i },
    { term: /\bAME\b/, explained: /atrofia muscular espinal \(AME\)/ },
    { term: /\bFQ\b/, explained: /fibrosis quística \(FQ\)/ },
  ],
};

/** How far from the first use, in characters, the explanation may be: about two sentences. */
const NEAR = 220;

/** @returns the terms that are used without an explanation near their first use */
function unexplainedTerms(text: string, language: Language): string[] {
  return TERMS[language].flatMap(({ term, explained }) => {
    const use = term.exec(text);
    if (!use) return [];
    const near = text.slice(Math.max(0, use.index - NEAR), use.index + NEAR);
    return explained.test(near) ? [] : [use[0]];
  });
}

const OPERATOR = readSiteConfig(BUILDS.form).operator;

const PATHS = ['/', ...Object.values(HELP_PATHS)];
const PAGES = LANGUAGES.flatMap((language) => PATHS.map((path) => ({ language, path })));

const DIST = await buildSite('form');
const open = (language: Language, path: string) =>
  readFileSync(join(DIST, 'client', pathIn(language, path), 'index.html'), 'utf8');
const read = (language: Language, path: string) => pageText(open(language, path));

describe.each(PAGES)('$language $path', ({ language, path }) => {
  const page = read(language, path);

  test('says its main message directly after its title', () => {
    const title = page.blocks.findIndex(({ tag }) => tag === 'h1');
    const message = page.blocks[title + 1];
    expect(message?.tag).toBe('p');
    expect(wordsOf(message?.text ?? '').length).toBeLessThanOrEqual(45);
  });

  test('has a heading at least every 120 words, and short headings', () => {
    const long = wordsPerHeading(page.blocks).filter((each) => each.words > MAX_WORDS_PER_HEADING);
    expect(long).toEqual([]);
    const headings = page.blocks.filter(({ tag }) => /^h\d$/.test(tag)).map(({ text }) => text);
    const tooLong = headings.filter((text) => wordsOf(text).length > MAX_WORDS_IN_HEADING);
    expect(tooLong.filter((text) => text !== SPECIFIED)).toEqual([]);
  });

  test('writes numbers as digits, uses one word for one thing, and explains hard words', () => {
    expect([...page.text.matchAll(NUMBER_WORDS[language])].map(around)).toEqual([]);
    expect([...page.text.matchAll(OTHER_NAMES[language])].map(around)).toEqual([]);
    // A name is no term that a page must explain.
    expect(unexplainedTerms(page.text.replaceAll(OPERATOR, ''), language)).toEqual([]);
    expect(page.lists.filter((items) => items > MAX_LIST_ITEMS)).toEqual([]);
  });

  test('reads easily, in short sentences', () => {
    const prose = page.blocks.filter((block) => /^(?:p|li|dd)$/.test(block.tag) && !block.isInNav);
    const texts = prose.map(({ text }) => text);
    const level = language === 'en' ? readingLevel(texts) : inflesz(texts);
    expect(level.wordsPerSentence).toBeLessThanOrEqual(MAX_WORDS_PER_SENTENCE);
    const { maxGrade, minEase } = path === EASY.path ? EASY : path === '/' ? LANDING : OTHERS;
    if ('grade' in level) expect(level.grade).toBeLessThanOrEqual(maxGrade);
    else expect(level.ease).toBeGreaterThanOrEqual(minEase);
  });
});

test.each(LANGUAGES)('no sentence of a help page in "%s" is long', (language) => {
  for (const path of Object.values(HELP_PATHS)) {
    const { blocks } = read(language, path);
    const sentences = sentencesOf(blocks.filter((block) => !block.isInNav).map(({ text }) => text));
    expect(sentences.length).toBeGreaterThan(10);
    const most = path === EASY.path ? EASY.maxWords : MAX_WORDS_IN_ONE_SENTENCE[language];
    const long = sentences.filter((words) => words.length > most);
    expect(long.map((words) => `${words.length}: ${words.join(' ')}`)).toEqual([]);
  }
});

test.each(LANGUAGES)(
  'each part of the easy-read page in "%s" has one heading, one drawing of its own and a few lines',
  (language) => {
    const { document } = parseHTML(open(language, EASY.path));
    const parts = [...document.querySelectorAll('main section:has(img)')];
    const drawings = parts.map((part) => part.querySelector('img')?.getAttribute('src'));
    expect(parts.length).toBeGreaterThan(8);
    expect(new Set(drawings).size).toBe(parts.length);
    // All headings but that of the button, which the other pages have, too.
    expect(document.querySelectorAll('main h2').length).toBe(parts.length + 1);
    for (const part of parts) {
      const count = (selector: string) => part.querySelectorAll(selector).length;
      expect([count('h2'), count('img')], part.textContent ?? '').toEqual([1, 1]);
      expect(count('p, li'), part.textContent ?? '').toBeLessThanOrEqual(EASY.maxLines);
    }
  },
);

test('a Spanish text for children is very easy, and one for lawyers is very hard', () => {
  const easy = inflesz(['El gato come pan. El pan es de Ana. Ana ve al gato.']);
  const hard = inflesz([
    'La responsabilidad extracontractual derivada del incumplimiento de obligaciones administrativas determina indemnizaciones proporcionales al perjuicio ocasionado.',
  ]);
  expect(easy.ease).toBeGreaterThan(80);
  expect(easy.wordsPerSentence).toBe(13 / 3);
  expect(hard.ease).toBeLessThan(40);
});

/** A number in words with what is next to it, for the message. */
const around = ({ 0: word, index, input }: RegExpExecArray) =>
  `${word}: …${input.slice(Math.max(0, index - 30), index + 40)}…`;

/** Facts in another language than the page, wherever a page shows them. */
import { readFileSync } from 'node:fs';
import { site } from 'virtual:site';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { type Facts, type FactsByLanguage, readSiteConfig } from '#site.config.ts';
import { clinicians as cliniciansEn } from '#words/en/help/clinicians.tsx';
import { layout as layoutEn } from '#words/en/help/layout.ts';
import { questions as questionsEn } from '#words/en/help/questions.tsx';
import { who as whoEn } from '#words/en/help/who.tsx';
import { landing as landingEn } from '#words/en/landing.ts';
import { clinicians as cliniciansEs } from '#words/es/help/clinicians.tsx';
import { layout as layoutEs } from '#words/es/help/layout.ts';
import { questions as questionsEs } from '#words/es/help/questions.tsx';
import { who as whoEs } from '#words/es/help/who.tsx';
import { landing as landingEs } from '#words/es/landing.ts';
import { factsIn } from '#words/facts-in.ts';
import type { HelpWords } from '#words/help.ts';
import { siteFile } from '../helpers/run/site-file.ts';

const WORDS = {
  en: { landing: landingEn, layout: layoutEn, help: [whoEn, questionsEn, cliniciansEn] },
  es: { landing: landingEs, layout: layoutEs, help: [whoEs, questionsEs, cliniciansEs] },
};
/** The facts that have a text per language. */
const IN_WORDS = Object.entries(JSON.parse(readFileSync('site.json', 'utf8')).facts).flatMap(
  ([name, fact]) => (typeof fact === 'object' && fact !== null ? [name] : []),
);

function htmlWith(facts: Facts, language: Language): string {
  const { landing, layout, help } = WORDS[language];
  const pages = help.flatMap((words) => {
    const { sections = {} }: HelpWords = words(site, facts);
    return Object.values(sections).map((section) => section?.body);
  });
  const texts: ReactNode[] = [
    ...landing(site, facts).privacy.items.map(({ text }) => text),
    layout(site, facts).reviewed,
    ...pages,
  ];
  return texts.map((text) => renderToStaticMarkup(<p>{text}</p>)).join('\n');
}

/** Facts whose texts name themselves: "funder in es". */
function factsOnlyIn(languages: Language[]): FactsByLanguage {
  const texts = IN_WORDS.map((name) => [
    name,
    Object.fromEntries(languages.map((each) => [each, `${name} in ${each}`])),
  ]);
  const facts = { reviewedOn: '2026-01-31', ...Object.fromEntries(texts) };
  return readSiteConfig(siteFile({ facts })).facts;
}

describe.each(LANGUAGES)('on a page in "%s"', (language) => {
  const other: Language = language === 'en' ? 'es' : 'en';

  test.each(IN_WORDS)('%s is in the page’s language', (name) => {
    const html = htmlWith(factsIn(factsOnlyIn([...LANGUAGES]), language), language);
    expect(html).toContain(`${name} in ${language}`);
    expect(html).not.toContain(`in ${other}`);
    expect(html).not.toContain('lang=');
  });

  test.each(IN_WORDS)('%s says its language if it is there in the other one only', (name) => {
    const html = htmlWith(factsIn(factsOnlyIn([other]), language), language);
    const text = `${name} in ${other}`;
    const marked = `<span lang="${other}">${text}</span>`;
    expect(html).toContain(marked);
    expect(html.replaceAll(marked, '')).not.toContain(text);
  });
});

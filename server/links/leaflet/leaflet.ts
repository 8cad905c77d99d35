/** The leaflet of a short link, to print. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '#contract/language.ts';
import { landing as english } from '#words/en/landing.ts';
import { landing as spanish } from '#words/es/landing.ts';
import { printHtml, readStyle, text } from '../../html/html-page.ts';
import { escapeHtml } from '../../html/safe-text.ts';
import { type Link, pathOf, qrCode, urlOf } from '../qr-code.ts';

const WORDS: Record<Language, typeof english> = { en: english, es: spanish };
/** Characters above which the address is set smaller, so that it stays on one page. */
const LONG_ADDRESS = 50;
const MARK = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="6" fill="#4b1f52"/><path d="M9 28C9 18 23 14 23 4" fill="none" stroke="#f4b23e" stroke-width="5.5" stroke-linecap="round" stroke-dasharray="4 8.5"/></svg>`;

const fileOf = (name: string) => join(import.meta.dirname, name);

/** @param dist the build */
export const leafletStyle = (dist: string): string => readStyle(fileOf('leaflet.css'), dist);

/** @param style from `leafletStyle` */
export function printLeaflet(link: Link, style: string): string {
  const { site, language, ref } = link;
  const facts = { ...site, ...site.mail };
  const { hero, howItWorks, leaflet } = WORDS[language](facts);
  const host = site.siteUrl.replace(/^https:\/\//, '');
  const path = pathOf(link);
  const url = urlOf(link);
  const steps = Object.values(howItWorks.steps).map(
    (step) => `<div><dt>${text(step.title)}</dt><dd>${text(step.text)}</dd></div>`,
  );
  // The address is in two parts, because a line may end between them.
  const body = `<main${host.length + path.length > LONG_ADDRESS ? ' class="long"' : ''}>
<p class="product">${MARK}${text(facts.productName)}</p>
<p class="audience">${text(hero.audience)}</p>
<h1>${hero.headline.map(text).join(' <br>')}</h1>
<p>${text(hero.purpose)}</p>
${readFileSync(fileOf('leaflet.svg'), 'utf8')}
<section class="way" aria-labelledby="open">
<a class="code" href="${escapeHtml(url)}" aria-label="${text(leaflet.code)}: ${host}${path}">${qrCode(url)}</a>
<div>
<h2 id="open">${text(leaflet.scan)}</h2>
<p>${text(leaflet.type)}</p>
<p class="address"><a href="${escapeHtml(url)}" aria-label="${host}${path}"><span>${host}</span><span>${path}</span></a></p>
<p>${text(leaflet.signUp)}</p>
</div>
</section>
<dl>${steps.join('')}</dl>
<footer>
<p>${text(leaflet.control)} <a href="mailto:${text(facts.contactEmail)}">${text(facts.contactEmail)}</a> ${text(leaflet.or)} <a href="${escapeHtml(facts.phoneUrl)}">${text(facts.phone)}</a></p>
</footer>
</main>`;
  return printHtml({ language, title: `${ref} – ${facts.productName}`, style, body });
}

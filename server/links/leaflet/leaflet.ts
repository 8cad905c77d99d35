/** The printable leaflet of a short link. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Language } from '#contract/language.ts';
import { landing as english } from '#words/en/landing.ts';
import { landing as spanish } from '#words/es/landing.ts';
import { readStyle, renderPage } from '../../html/html-page.ts';
import { joinHtml } from '../../html/join-html.ts';
import { printable } from '../../html/safe-text.ts';
import { type Link, makeQrCodeSvg, shortPathOf, shortUrlOf } from '../qr-code.ts';

const WORDS: Record<Language, typeof english> = { en: english, es: spanish };
/**
 * The short link's address is set in smaller type if it has more characters, so that the leaflet
 * stays on one page.
 */
const LONG_ADDRESS = 50;
const LOGO = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="6" fill="#4b1f52"/><path
  d="M9 28C9 18 23 14 23 4" fill="none" stroke="#f4b23e"
  stroke-width="5.5" stroke-linecap="round" stroke-dasharray="4 8.5"/></svg>`;

const pathOfFile = (name: string) => join(import.meta.dirname, name);

/** Reads the leaflet's styles, with the build's fonts. @param dist folder of the build */
export const leafletStyle = (dist: string): string => readStyle(pathOfFile('leaflet.css'), dist);

/** Renders the leaflet. @param style from `leafletStyle` */
export function renderLeaflet(link: Link, style: string): SafeHtml {
  const { site, language, ref } = link;
  const facts = { ...site, ...site.mail };
  const { hero, howItWorks, leaflet } = WORDS[language](facts);
  const headline = joinHtml(hero.headline.map(printable), html` <br>`);
  const isLong = hostOf(link).length + shortPathOf(link).length > LONG_ADDRESS;
  const steps = Object.values(howItWorks.steps).map(
    ({ title, text }) => html`<div><dt>${printable(title)}</dt><dd>${printable(text)}</dd></div>`,
  );
  const body = html`<main${isLong ? html` class="long"` : null}>
<p class="product">${LOGO}${printable(facts.productName)}</p>
<p class="audience">${printable(hero.audience)}</p>
<h1>${headline}</h1>
<p>${printable(hero.purpose)}</p>
${html.raw`${readFileSync(pathOfFile('leaflet.svg'), 'utf8')}`}
${renderQrCodeAndAddress(link, leaflet)}
<dl>${steps}</dl>
<footer>
<p>${renderContact(link, leaflet)}</p>
</footer>
</main>`;
  return renderPage({ language, title: `${ref} – ${facts.productName}`, style, body });
}

type Words = ReturnType<typeof english>['leaflet'];

const hostOf = ({ site }: Link) => site.siteUrl.replace(/^https:\/\//, '');

/** Renders the QR code and the address. */
function renderQrCodeAndAddress(link: Link, words: Words): SafeHtml {
  const [host, path, url] = [hostOf(link), shortPathOf(link), shortUrlOf(link)];
  const code = html.raw`${makeQrCodeSvg(url)}`;
  // In two parts, because a line may break between them.
  const address = html`<a href="${url}" aria-label="${host}${path}"><span>${host}</span><span>${path}</span></a>`;
  return html`<section class="way" aria-labelledby="open">
<a class="code" href="${url}" aria-label="${printable(words.code)}: ${host}${path}">${code}</a>
<div>
<h2 id="open">${printable(words.scan)}</h2>
<p>${printable(words.type)}</p>
<p class="address">${address}</p>
<p>${printable(words.signUp)}</p>
</div>
</section>`;
}

/** Renders the footer: that the reader decides, and whom to ask. */
function renderContact({ site }: Link, words: Words): SafeHtml {
  const [email, phone] = [printable(site.mail.contactEmail), printable(site.phone)];
  const mail = html`<a href="mailto:${email}">${email}</a>`;
  const call = html`<a href="${site.phoneUrl}">${phone}</a>`;
  return html`${printable(words.control)} ${mail} ${printable(words.or)} ${call}`;
}

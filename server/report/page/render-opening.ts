/** Renders the first part of the report: what changed, why, and what to look at. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { printable } from '../../html/safe-text.ts';
import type { FactSentence } from '../causes/fact-sentences.ts';
import type { Opening } from '../causes/read-opening.ts';
import type { Links } from './addresses.ts';
import { datesInWords } from './words.ts';

const NAMES: Record<FactSentence['role'], string> = {
  usual: 'What changed',
  changed: 'What changed',
  why: 'Why',
  look: 'Look at',
};

/** Renders the sentences as a list by their roles. Below it are the days that they are about. */
export function renderOpening(opening: Opening, links: Links): SafeHtml {
  const { sentences, from, to, remark, unseen } = opening;
  const byName = Map.groupBy(sentences, ({ role }) => NAMES[role]);
  const items = [...byName].map(([name, own]) => {
    const said = own.map((sentence) => html`<dd>${renderLink(sentence, links)}</dd>`);
    return html`<div><dt>${name}</dt>${said}</div>
`;
  });
  const days = from && to && sentences.length > 0 ? [`About ${datesInWords({ from, to })}.`] : [];
  const notes = [...days, remark, unseen].filter((note) => note !== null);
  return html`<section class="news" aria-labelledby="h-news">
<h2 class="vh" id="h-news">What has changed</h2>
${items.length > 0 ? html`<dl>${items}</dl>` : null}
<p class="sm">${notes.map(printable).join(' ')}</p>
</section>`;
}

/** Renders the sentence below the totals: why clicks per 100 visits differ. */
export const renderRateSentence = ({ rate }: Opening, links: Links): SafeHtml | null =>
  rate ? html`<p class="rate">${renderLink(rate, links)}</p>` : null;

function renderLink({ text, address }: FactSentence, links: Links): SafeHtml {
  const fields = Object.fromEntries(new URLSearchParams(address));
  return links.to({ days: null, ...fields }, printable(text));
}

import { site } from 'virtual:site';
import { Island } from '#components/island.tsx';
import { NewTabLink } from '#components/new-tab-link.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { OptOut } from '#islands/opt-out.tsx';
import { WhatWeCount } from './what-we-count.tsx';

const LINKS = [
  ['about', 'About'],
  ['how-it-works', 'How It Works'],
  ['benefits', 'Benefits'],
  ['register', 'Register'],
] as const;

export function Footer() {
  return (
    <footer className="mx-auto grid w-page gap-8 pt-14 pb-16 lg:grid-cols-[7fr_5fr]">
      <nav aria-label="On this page" className="print:hidden">
        <ul className="flex flex-wrap gap-3">
          {LINKS.map(([id, label]) => (
            <li key={id}>
              <QuietLink href={`#${id}`}>{label}</QuietLink>
            </li>
          ))}
        </ul>
      </nav>
      <ul className="grid content-start justify-items-start gap-3">
        <li>
          <NewTabLink href={site.privacyUrl}>Privacy policy</NewTabLink>
        </li>
        <li>
          <NewTabLink href={site.termsUrl}>Terms</NewTabLink>
        </li>
      </ul>
      <div className="print:hidden">
        {/* Script adds its button, which must not push the last lines down. */}
        <Island name="opt-out" className="grid min-h-30 content-start justify-items-start gap-3">
          <OptOut />
        </Island>
        <WhatWeCount facts={site} />
      </div>
      <div className="grid content-start gap-2 text-small text-ink-2">
        <p>
          Set in Atkinson Hyperlegible, which the Braille Institute drew for readers with low
          vision.
        </p>
        <p>© 2025 {site.productName}</p>
      </div>
    </footer>
  );
}

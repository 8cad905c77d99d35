import { site } from 'virtual:site';
import { Island } from '#components/island.tsx';
import { NewTabLink } from '#components/new-tab-link.tsx';
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
    <footer className="wrap footer grid gap-8 pt-14 pb-16 lg:grid-cols-[7fr_5fr]">
      <nav aria-label="On this page">
        <ul className="flex flex-wrap gap-3">
          {LINKS.map(([id, label]) => (
            <li key={id}>
              <a className="button-quiet" href={`#${id}`}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ul className="grid content-start justify-items-start gap-y-3">
        <li>
          <NewTabLink href={site.privacyUrl}>Privacy policy</NewTabLink>
        </li>
        <li>
          <NewTabLink href={site.termsUrl}>Terms</NewTabLink>
        </li>
      </ul>
      <div className="print:hidden">
        <Island name="opt-out">
          <OptOut />
        </Island>
        <WhatWeCount facts={site} />
      </div>
      <div className="small grid content-start gap-2 text-ink-2">
        <p>
          Set in Atkinson Hyperlegible, which the Braille Institute drew for readers with low
          vision.
        </p>
        <p>© 2025 {site.productName}</p>
      </div>
    </footer>
  );
}

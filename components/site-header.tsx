import { site } from 'virtual:site';
import type { ReactNode } from 'react';
import { LANDING } from '#words/landing.ts';
import { BrandMark } from './brand-mark.tsx';
import { usePath, useWords } from './language.tsx';
import { LanguageLink } from './language-link.tsx';

interface Props {
  /** The page is the landing page: no link to itself, but links to the questions and to the other language. */
  isHome?: boolean;
  /** The logo. */
  mark?: ReactNode;
}

/** The skip link, the site's name, and the ways out. */
export function SiteHeader({
  isHome = false,
  mark = <BrandMark className="w-9 flex-none" />,
}: Props) {
  const { skip, header } = useWords(LANDING);
  const path = usePath();
  const Name = isHome ? 'span' : 'a';
  return (
    <header className="relative mx-auto flex w-page flex-wrap items-center justify-between gap-x-3 py-[clamp(0.5rem,1vw,1rem)] text-small/tight sm:text-[1.125rem]">
      <a
        className="absolute -top-48 left-0 z-3 border-fine bg-card px-5 py-3 focus:top-4 print:hidden"
        href="#main"
        data-skip=""
      >
        {skip}
      </a>
      <Name
        className="inline-flex min-h-12 items-center gap-2.5 font-bold text-inherit no-underline"
        {...(!isHome && { href: path('/') })}
      >
        {mark}
        {/* On the smallest phones the name takes two lines. */}
        <span className="max-[23rem]:max-w-[5.5em]">{site.productName}</span>
      </Name>
      {isHome && (
        <nav aria-label={header.label} className="flex gap-3 sm:gap-8 print:hidden">
          <a className="inline-flex min-h-11 items-center" href={path('/help/questions/')}>
            {header.questions}
          </a>
          <LanguageLink path="/" />
        </nav>
      )}
    </header>
  );
}

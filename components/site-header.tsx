import { site } from 'virtual:site';
import type { ReactNode } from 'react';
import { LANDING } from '#words/landing.ts';
import { BrandMark } from './brand-mark.tsx';
import { usePath, useWords } from './language.tsx';

interface Props {
  /** The page is the landing page, which needs no link to itself: each tab stop costs a visitor with a switch some time. */
  isHome?: boolean;
  /** The logo. */
  mark?: ReactNode;
}

/** The skip link and the link home, before the call to action. */
export function SiteHeader({
  isHome = false,
  mark = <BrandMark className="w-9 flex-none" />,
}: Props) {
  const { skip } = useWords(LANDING);
  const path = usePath();
  const Name = isHome ? 'span' : 'a';
  return (
    <header className="relative mx-auto w-page pt-5 pb-3">
      <a
        className="absolute -top-24 left-0 z-3 border-fine bg-card px-5 py-3 focus:top-4 print:hidden"
        href="#main"
        data-skip=""
      >
        {skip}
      </a>
      <Name
        className="inline-flex min-h-12 items-center gap-3 font-bold text-inherit no-underline"
        {...(!isHome && { href: path('/') })}
      >
        {mark}
        {site.productName}
      </Name>
    </header>
  );
}

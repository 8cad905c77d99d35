import { site } from 'virtual:site';
import type { ReactNode } from 'react';
import { LANDING } from '#words/index.ts';
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
export function SiteHeader({ isHome = false, mark = <BrandMark /> }: Props) {
  const { skip, header } = useWords(LANDING);
  const path = usePath();
  const Name = isHome ? 'span' : 'a';
  return (
    <header>
      <a href="#main" data-skip="">
        {skip}
      </a>
      <Name className="name" {...(!isHome && { href: path('/') })}>
        {mark}
        <span>{site.productName}</span>
      </Name>
      {isHome && (
        <nav aria-label={header.label}>
          <a href={path('/help/questions/')}>{header.questions}</a>
          <LanguageLink path="/" />
        </nav>
      )}
    </header>
  );
}

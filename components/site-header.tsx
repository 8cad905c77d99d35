import { site } from 'virtual:site';
import { LANDING } from '#words/index.ts';
import { usePath, useWords } from './language.tsx';
import { LanguageLink } from './links.tsx';

/**
 * The skip link, the site's name, and the ways out.
 *
 * @param isHome on the landing page: no link to itself, but links to the questions and to the other language
 */
export function SiteHeader({ isHome = false }: { isHome?: boolean }) {
  const { skip, header } = useWords(LANDING);
  const path = usePath();
  const Name = isHome ? 'span' : 'a';
  return (
    <header>
      <a href="#main" data-skip="">
        {skip}
      </a>
      <Name className="name" {...(!isHome && { href: path('/') })}>
        {/* A file that the browser has anyway, as the tab's icon. */}
        <img src="/favicon.svg" alt="" width="36" height="36" />
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

import { site } from 'virtual:site';
import { HELP_PATHS } from '#words/help-paths.ts';
import { LANDING } from '#words/index.ts';
import { usePath, useWords } from './language.tsx';
import { LanguageLink } from './links.tsx';

/**
 * A product name with at most so many characters has room beside the header's links: on the
 * smallest phones, on two lines. A longer name gets a row of its own.
 */
const MAX_BESIDE_LINKS = 24;

/**
 * The header of every page: the skip link, the product's name, and links to the page of questions
 * and to the same page in the other language.
 *
 * @param pagePath the page's path in English. The landing page has no link to itself. Undefined:
 * the page has no address of its own, such as the 404 page, so the link leads to the other language's
 * landing page
 */
export function SiteHeader({ pagePath }: { pagePath?: string }) {
  const { skip, header } = useWords(LANDING);
  const path = usePath();
  const isHome = pagePath === '/';
  const Name = isHome ? 'span' : 'a';
  // header.css narrows a name in a `span` to two lines, but not one in a `b`.
  const isLong = site.productName.length > MAX_BESIDE_LINKS;
  return (
    <header>
      <a href="#main" data-skip="">
        {skip}
      </a>
      <Name className="name" {...(!isHome && { href: path('/') })}>
        {/* The favicon, because the browser loads that file anyway. */}
        <img src="/favicon.svg" alt="" width="36" height="36" />
        {isLong ? <b>{site.productName}</b> : <span>{site.productName}</span>}
      </Name>
      <nav aria-label={header.label}>
        <a
          href={path(HELP_PATHS.questions)}
          {...(pagePath === HELP_PATHS.questions && { 'aria-current': 'page' })}
        >
          {header.questions}
        </a>
        <LanguageLink path={pagePath ?? '/'} />
      </nav>
    </header>
  );
}

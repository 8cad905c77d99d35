import { site } from 'virtual:site';
import { HELP_PATHS } from '#words/help-paths.ts';
import { LANDING } from '#words/index.ts';
import { usePath, useWords } from './language.tsx';
import { LanguageLink } from './links.tsx';

/**
 * Upper bound in characters for a name that takes two lines beside the links on the smallest
 * phones. A longer one has its own row.
 */
const MAX_BESIDE_LINKS = 24;

/**
 * The skip link, the site's name, and the ways out: to the questions, and to the same page in the
 * other language.
 *
 * @param at the page's path in English. The landing page has no link to itself. Absent: the page
 * has no address of its own, such as the 404 card, so the link leads to the other language's
 * landing page
 */
export function SiteHeader({ at }: { at?: string }) {
  const { skip, header } = useWords(LANDING);
  const path = usePath();
  const isHome = at === '/';
  const Name = isHome ? 'span' : 'a';
  // In an element that header.css leaves as wide as its row.
  const isLong = site.productName.length > MAX_BESIDE_LINKS;
  return (
    <header>
      <a href="#main" data-skip="">
        {skip}
      </a>
      <Name className="name" {...(!isHome && { href: path('/') })}>
        {/* A file that the browser has anyway, as the tab's icon. */}
        <img src="/favicon.svg" alt="" width="36" height="36" />
        {isLong ? <b>{site.productName}</b> : <span>{site.productName}</span>}
      </Name>
      <nav aria-label={header.label}>
        <a
          href={path(HELP_PATHS.questions)}
          {...(at === HELP_PATHS.questions && { 'aria-current': 'page' })}
        >
          {header.questions}
        </a>
        <LanguageLink path={at ?? '/'} />
      </nav>
    </header>
  );
}

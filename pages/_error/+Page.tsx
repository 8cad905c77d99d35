import lost from '#components/drawings/lost.svg?raw';
import { InlineDrawing } from '#components/inline-drawing.tsx';
import { SiteLinksScript } from '#components/inline-scripts.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { QuietLink } from '#components/links.tsx';
import { Notice } from '#components/notice.tsx';
import { HEAD, LANDING } from '#words/index.ts';

export function Page() {
  const { home, notFound, footer } = useWords(LANDING);
  const { notFound: title } = useWords(HEAD);
  const path = usePath();
  return (
    <>
      <SiteLinksScript />
      <Notice drawing={<InlineDrawing svg={lost} />}>
        <h1>{title}</h1>
        <p className="text-lede">{notFound.router}</p>
        <p>{notFound.moved}</p>
        <QuietLink href={path('/')}>{home}</QuietLink>
        <a className="inline-flex min-h-11 items-center" href={path('/help/')}>
          {footer.help}
        </a>
      </Notice>
    </>
  );
}

import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { PageContextServer } from 'vike/types';
import { requireStubFirst } from '#components/inline-scripts.tsx';
import { LanguageProvider } from '#components/language.tsx';
import { splitPath } from '#contract/language.ts';
import firstCss from './first.css?inline';
import { Head } from './head.tsx';
import helpCss from './help.css?inline';
import { markAddresses } from './mark-addresses.ts';
import siteCss from './site.css?inline';

/**
 * The style without Tailwind's banner, because it copies none of Tailwind's style, and each byte is
 * in the first round trip.
 */
const withoutBanner = (css: string) => css.replace(/^\/\*!.*?\*\/\s*/s, '');

/** @param path of the page in English; null: the 404 page */
function styleOf(path: string | null): string {
  if (path?.startsWith('/help')) return withoutBanner(helpCss);
  return withoutBanner(path === '/' ? firstCss : siteCss);
}

/** Renders the whole document with its style, so that the first paint waits for no style sheet. */
export function onRenderHtml(pageContext: PageContextServer) {
  const Page = pageContext.Page as React.ComponentType<{ page?: string | undefined }>;
  // Without a language Vike renders the error page after a fault.
  const { language = 'en', is404 } = pageContext;
  const { path } = is404 ? { path: null } : splitPath(pageContext.urlOriginal);
  const render = (element: ReactElement) =>
    renderToStaticMarkup(<LanguageProvider value={language}>{element}</LanguageProvider>);
  const head = render(<Head path={path} />);
  const body = markAddresses(render(<Page page={pageContext.routeParams.page} />));
  requireStubFirst(body, path ?? 'the 404 page');
  const documentHtml = escapeInject`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${dangerouslySkipEscape(head)}
<style>${dangerouslySkipEscape(styleOf(path))}</style>
</head>
<body>${dangerouslySkipEscape(body)}</body>
</html>`;
  return { documentHtml, injectFilter: withoutPreloads };
}

/**
 * Only the script: Chrome delays the first paint for a preloaded font, and the landing page links
 * its second sheet itself.
 */
function withoutPreloads(assets: { assetType: string | null; inject: unknown }[]): void {
  for (const asset of assets) if (asset.assetType !== 'script') asset.inject = false;
}

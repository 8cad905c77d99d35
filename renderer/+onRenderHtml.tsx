import afterPaintInline from 'virtual:inline/after-paint';
import { site } from 'virtual:site';
import { renderToStaticMarkup } from 'react-dom/server';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { PageContextServer } from 'vike/types';
import { InlineScript } from '#components/inline-script.tsx';
import formCss from '#islands/register-form/register-form.css?inline';
import webFontsCss from './fonts/web.css?inline';
import { Head } from './head.tsx';
import siteCss from './site.css?inline';

const css = site.registerForm ? siteCss + formCss : siteCss;

/** The whole document in one response: no style sheet to wait for, and what can wait comes after the first paint. */
export function onRenderHtml(pageContext: PageContextServer) {
  const Page = pageContext.Page as React.ComponentType;
  const head = renderToStaticMarkup(
    <Head path={pageContext.is404 ? null : pageContext.urlPathname} />,
  );
  const body = renderToStaticMarkup(
    <>
      <Page />
      <InlineScript code={afterPaintInline} />
    </>,
  );
  const documentHtml = escapeInject`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${dangerouslySkipEscape(head)}
<style>${dangerouslySkipEscape(css)}</style>
<style id="web-fonts" media="not all">${dangerouslySkipEscape(webFontsCss)}</style>
<noscript><style>${dangerouslySkipEscape(webFontsCss)}</style></noscript>
</head>
<body>${dangerouslySkipEscape(body)}</body>
</html>`;
  return { documentHtml, injectFilter: withoutPreloads };
}

/** The web fonts come after the first paint (after-paint-inline.ts), which Chrome would hold back for a preloaded one. */
function withoutPreloads(assets: { assetType: string | null; inject: unknown }[]): void {
  for (const asset of assets) if (asset.assetType === 'font') asset.inject = false;
}

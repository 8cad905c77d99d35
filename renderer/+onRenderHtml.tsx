import captureInline from 'virtual:inline/capture';
import firstScreenInline from 'virtual:inline/first-screen';
import fontsInline from 'virtual:inline/fonts';
import pageviewInline from 'virtual:inline/pageview';
import { site } from 'virtual:site';
import { renderToStaticMarkup } from 'react-dom/server';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { PageContextServer } from 'vike/types';
import formCss from '#components/register-form.css?inline';
import webFontsCss from './fonts/web.css?inline';
import { Head } from './head.tsx';
import siteCss from './site.css?inline';

const SCRIPTS = [captureInline, fontsInline];
const LANDING_SCRIPTS = [
  firstScreenInline,
  ...SCRIPTS,
  ...(site.posthogKey ? [pageviewInline] : []),
];

const css = site.registerForm ? siteCss + formCss : siteCss;

/** The whole document in one response: no style sheet to wait for, and a script that counts before anything is seen. */
export function onRenderHtml(pageContext: PageContextServer) {
  const Page = pageContext.Page as React.ComponentType;
  const head = renderToStaticMarkup(
    <Head path={pageContext.is404 ? null : pageContext.urlPathname} />,
  );
  const body = renderToStaticMarkup(<Page />);
  const scripts = pageContext.urlPathname === '/' ? LANDING_SCRIPTS : SCRIPTS;
  const documentHtml = escapeInject`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${dangerouslySkipEscape(head)}
<style>${dangerouslySkipEscape(css)}</style>
<style id="web-fonts" media="not all">${dangerouslySkipEscape(webFontsCss)}</style>
<noscript><style>${dangerouslySkipEscape(webFontsCss)}</style></noscript>
${dangerouslySkipEscape(scripts.map((code) => `<script>${code}</script>`).join(''))}
</head>
<body>${dangerouslySkipEscape(body)}</body>
</html>`;
  return { documentHtml, injectFilter: withoutPreloads };
}

/** The web fonts come after the first paint (fonts-inline.ts), which Chrome would hold back for a preloaded one. */
function withoutPreloads(assets: { assetType: string | null; inject: unknown }[]): void {
  for (const asset of assets) if (asset.assetType === 'font') asset.inject = false;
}

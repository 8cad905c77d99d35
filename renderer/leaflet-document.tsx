/** The document around the leaflet. It has no script, and its style and fonts are in it. */
import { site } from 'virtual:site';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Language } from '#contract/language.ts';
import leafletCss from './leaflet.css?inline';

export function leafletDocument(language: Language, body: string): string {
  const head = renderToStaticMarkup(
    <>
      <title>{`LEAFLET_NAME – ${site.productName}`}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="format-detection" content="telephone=no" />
      <meta name="robots" content="noindex" />
    </>,
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${head}
<style>${leafletCss}</style>
</head>
<body>${body}</body>
</html>`;
}

import captureInline from 'virtual:capture-inline';
import { renderToStaticMarkup } from 'react-dom/server';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { PageContextServer } from 'vike/types';
import css from './site.css?inline';

export function onRenderHtml(pageContext: PageContextServer) {
  const Page = pageContext.Page as React.ComponentType;
  const body = renderToStaticMarkup(<Page />);
  return escapeInject`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<style>${dangerouslySkipEscape(css)}</style>
<script>${dangerouslySkipEscape(captureInline)}</script>
</head>
<body>${dangerouslySkipEscape(body)}</body>
</html>`;
}

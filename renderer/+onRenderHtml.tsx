import captureInline from 'virtual:capture-inline';
import { site } from 'virtual:site';
import { renderToStaticMarkup } from 'react-dom/server';
import { dangerouslySkipEscape, escapeInject } from 'vike/server';
import type { PageContextServer } from 'vike/types';
import formCss from '#components/register-form.css?inline';
import { Head } from './head.tsx';
import siteCss from './site.css?inline';

const css = site.registerForm ? siteCss + formCss : siteCss;

/** The whole document in one response: no style sheet to wait for, and a script that counts before anything is seen. */
export function onRenderHtml(pageContext: PageContextServer) {
  const Page = pageContext.Page as React.ComponentType;
  const head = renderToStaticMarkup(
    <Head path={pageContext.is404 ? null : pageContext.urlPathname} />,
  );
  const body = renderToStaticMarkup(<Page />);
  return escapeInject`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${dangerouslySkipEscape(head)}
<style>${dangerouslySkipEscape(css)}</style>
<script>${dangerouslySkipEscape(captureInline)}</script>
</head>
<body>${dangerouslySkipEscape(body)}</body>
</html>`;
}

/**
 * Renders HTML pages that the server makes itself and that have no script: the report and the
 * leaflet.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Language } from '#contract/language.ts';
import { printable } from './safe-text.ts';

/**
 * Reads a CSS file, and embeds the fonts that it names, so that the page needs no other file.
 *
 * @param file path of the CSS file
 * @param dist folder of the build, which has the fonts; null: the page uses fonts of the reader's
 * system
 */
export function readStyle(file: string, dist: string | null): string {
  const assets = dist === null ? null : join(dist, 'client/assets');
  const files = assets ? readdirSync(assets, { recursive: true, encoding: 'utf8' }) : [];
  return readFileSync(file, 'utf8').replace(/url\("([\w-]+)"\)/g, (_, name: string) => {
    // The build adds a hash to a font's file name.
    const font = files.find((each) => each.includes(`${name}.`));
    if (!assets || !font) return 'local("")';
    return `url(data:font/woff2;base64,${readFileSync(join(assets, font), 'base64')})`;
  });
}

interface Page {
  language: Language;
  title: string;
  /** CSS from `readStyle`. */
  style: string;
  body: SafeHtml;
}

/** Renders a whole page around a body. */
export const renderPage = ({ language, title, style, body }: Page): SafeHtml => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
<title>${printable(title)}</title>
<style>${html.raw`${style}`}</style>
</head>
<body>
${body}
</body>
</html>
`;

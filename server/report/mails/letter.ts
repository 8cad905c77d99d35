/**
 * Writes a mail of the report as text and as HTML with the same content. All mail programs support
 * tables and inline styles, and many load nothing from elsewhere, so the HTML has no style sheet
 * and no picture.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import { joinHtml } from '../../html/join-html.ts';
import { printable } from '../../html/safe-text.ts';

/** Content of a mail. All texts are plain text and not HTML. */
export interface Letter {
  subject: string;
  title: string;
  parts: Part[];
  /** Last lines, which say where the mail comes from. */
  foot: string;
}

/** A section of a mail: figures, then lines. */
export interface Part {
  heading?: string;
  figures?: Figure[];
  lines?: Line[];
}

export interface Figure {
  name: string;
  figure: string;
  /** Change of the figure: `−2% from 851`. Empty: nothing to compare with. */
  change: string;
}

export interface Line {
  text: string;
  /** Full URL to which the line links. */
  url?: string;
}

/** Writes a mail. */
export const writeLetter = (letter: Letter): { subject: string; text: string; html: string } => ({
  subject: printable(letter.subject),
  text: writeText(letter),
  html: String(renderLetter(letter)),
});

/** Writes the plain text. */
function writeText({ title, parts, foot }: Letter): string {
  const written = parts.map(({ heading, figures = [], lines = [] }) => {
    const headingLines = heading === undefined ? [] : [`${printable(heading)}\n`];
    const figureLines = figures.map(
      ({ name, figure, change }) => `${name}: ${figure}${change && ` (${change})`}\n`,
    );
    const textLines = lines.map(({ text, url }) => `${printable(text)}\n${url ? `${url}\n` : ''}`);
    const hasUrls = lines.some(({ url }) => url);
    return [...headingLines, ...figureLines, textLines.join(hasUrls ? '\n' : '')].join('');
  });
  return [`${printable(title)}\n`, ...written, `-- \n${printable(foot)}\n`].join('\n');
}

/** Colours of the background and of texts. */
const COLORS = { paper: '#fbf7ef', ink: '#1c1b2e', soft: '#45405a', link: '#4b1f52' };
/** Colours of borders. */
const BORDER_COLORS = { hair: '#e2d8c6', signal: '#f4b23e' };
const SANS = html`font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const SERIF = html`font-family:Georgia,'Times New Roman',serif`;
/** Breaks long words, because the code of a link may be wider than a phone. */
const BREAK_LONG_WORDS = 'overflow-wrap:anywhere;word-break:break-word';
const FONT = html`${SANS};font-size:16px;line-height:24px;${BREAK_LONG_WORDS}`;
/** Greatest width of the content, in pixels. */
const WIDTH = 600;
const TABLE = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;
/** Outlook for Windows ignores `max-width`, and only Outlook reads these comments. */
const OUTLOOK_BEGIN = html`<!--[if mso]><table ${TABLE} width="${WIDTH}" align="center"><tr><td><![endif]-->`;
const OUTLOOK_END = html`<!--[if mso]></td></tr></table><![endif]-->`;

/** Renders the HTML. It has only light colours: programs with a dark mode invert them. */
function renderLetter(letter: Letter): SafeHtml {
  const { paper, ink } = COLORS;
  const body = `margin:0;padding:0;background:${paper};color:${ink};-webkit-text-size-adjust:100%`;
  const outer = html`${TABLE} width="100%" bgcolor="${paper}" style="background:${paper}"`;
  const inner = `max-width:${WIDTH}px;border-top:4px solid ${BORDER_COLORS.signal};text-align:left`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${printable(letter.subject)}</title>
</head>
<body style="${body}">
<table ${outer}><tr><td align="center" style="padding:16px">
${OUTLOOK_BEGIN}
<table ${TABLE} width="100%" style="${inner}">
${renderTitle(letter)}
${joinHtml(letter.parts.map(renderPart), html`\n`)}
${renderFoot(letter)}
</table>
${OUTLOOK_END}
</td></tr></table>
</body>
</html>
`;
}

/** Renders a row of the outer table. @param space padding above it, in pixels */
const renderRow = (content: SafeHtml, space: number): SafeHtml =>
  html`<tr><td style="padding-top:${space}px">${content}</td></tr>`;

function renderTitle({ title }: Letter): SafeHtml {
  const style = html`margin:0;${SERIF};font-size:26px;line-height:32px;font-weight:normal;color:${COLORS.ink}`;
  return renderRow(html`<h1 style="${style}">${printable(title)}</h1>`, 20);
}

function renderFoot({ foot }: Letter): SafeHtml {
  const line = `margin:0;padding-top:12px;border-top:1px solid ${BORDER_COLORS.hair}`;
  const style = html`${line};${SANS};font-size:14px;line-height:20px;color:${COLORS.soft}`;
  return renderRow(html`<p style="${style}">${printable(foot)}</p>`, 28);
}

function renderPart({ heading, figures = [], lines = [] }: Part): SafeHtml {
  const hasHeading = heading !== undefined;
  const title = hasHeading ? renderHeading(heading) : null;
  const figureTable = figures.length > 0 ? renderFigures(figures) : null;
  const renderedLines = lines.map((line, i) => renderLine(line, !hasHeading && i === 0 ? 16 : 8));
  return html`${title}${figureTable}${joinHtml(renderedLines, html`\n`)}`;
}

function renderHeading(heading: string): SafeHtml {
  const style = html`margin:0;${FONT};font-weight:bold;color:${COLORS.ink}`;
  return renderRow(html`<h2 style="${style}">${printable(heading)}</h2>`, 24);
}

const renderFigures = (figures: readonly Figure[]): SafeHtml =>
  renderRow(html`<table ${TABLE} width="100%">${figures.map(renderFigure)}</table>`, 16);

function renderFigure({ name, figure, change }: Figure): SafeHtml {
  const { ink, soft } = COLORS;
  const cell = html`padding:8px 0;border-bottom:1px solid ${BORDER_COLORS.hair};${SANS};line-height:28px`;
  const right = html`${cell};padding-left:12px`;
  return html`<tr>
<td style="${cell};font-size:16px;color:${ink}">${printable(name)}</td>
<td align="right" style="${right};font-size:22px;color:${ink}">${printable(figure)}</td>
<td align="right" style="${right};font-size:14px;line-height:20px;color:${soft}">${printable(change)}</td>
</tr>`;
}

/** Renders a line. @param space padding above it, in pixels */
function renderLine({ text, url }: Line, space: number): SafeHtml {
  const words = printable(text);
  const link = html`<a href="${url}" style="color:${COLORS.link}">${words}</a>`;
  return renderRow(
    html`<p style="margin:0;${FONT};color:${COLORS.ink}">${url ? link : words}</p>`,
    space,
  );
}

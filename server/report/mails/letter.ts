/**
 * Writes a mail of the report as text and as HTML, which say the same. Mail programs know tables and
 * inline styles, and many load nothing from elsewhere: so there is no style sheet and no picture.
 */
import { text as safe } from '../../html/html-page.ts';
import { escapeHtml, printable } from '../../html/safe-text.ts';

/** What a mail says. No text is HTML. */
export interface Letter {
  subject: string;
  title: string;
  parts: Part[];
  /** The last lines: where the mail comes from. */
  foot: string;
}

export interface Part {
  heading?: string;
  figures?: Figure[];
  lines?: Line[];
}

export interface Figure {
  name: string;
  figure: string;
  /** `−2% from 851`; empty: there is nothing to compare with. */
  change: string;
}

export interface Line {
  text: string;
  /** Where to look: the whole address. */
  url?: string;
}

export const writeLetter = (letter: Letter): { subject: string; text: string; html: string } => ({
  subject: printable(letter.subject),
  text: writeText(letter),
  html: writeHtml(letter),
});

function writeText({ title, parts, foot }: Letter): string {
  const written = parts.map(({ heading, figures = [], lines = [] }) => {
    const head = heading === undefined ? [] : [`${printable(heading)}\n`];
    const counted = figures.map(
      ({ name, figure, change }) => `${name}: ${figure}${change && ` (${change})`}\n`,
    );
    const said = lines.map(({ text, url }) => `${printable(text)}\n${url ? `${url}\n` : ''}`);
    const hasUrls = lines.some(({ url }) => url);
    return [...head, ...counted, said.join(hasUrls ? '\n' : '')].join('');
  });
  return [`${printable(title)}\n`, ...written, `-- \n${printable(foot)}\n`].join('\n');
}

const COLORS = { paper: '#fbf7ef', ink: '#1c1b2e', soft: '#45405a', link: '#4b1f52' };
const LINES = { hair: '#e2d8c6', signal: '#f4b23e' };
const SANS = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const SERIF = "font-family:Georgia,'Times New Roman',serif";
/** A code of a link may be wider than a phone. */
const BREAKS = 'overflow-wrap:anywhere;word-break:break-word';
const WIDTH = 600;
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
/** Outlook for Windows knows no largest width. */
const OUTLOOK_BEGIN = `<!--[if mso]><table ${TABLE} width="${WIDTH}" align="center"><tr><td><![endif]-->`;
const OUTLOOK_END = '<!--[if mso]></td></tr></table><![endif]-->';

/** One light scheme: programs that show mails dark turn its colours round. */
function writeHtml({ subject, title, parts, foot }: Letter): string {
  const body = `margin:0;padding:0;background:${COLORS.paper};color:${COLORS.ink};-webkit-text-size-adjust:100%`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${safe(subject)}</title>
</head>
<body style="${body}">
<table ${TABLE} width="100%" bgcolor="${COLORS.paper}" style="background:${COLORS.paper}"><tr><td align="center" style="padding:16px">
${OUTLOOK_BEGIN}
<table ${TABLE} width="100%" style="max-width:${WIDTH}px;border-top:4px solid ${LINES.signal};text-align:left">
${row(`<h1 style="margin:0;${SERIF};font-size:26px;line-height:32px;font-weight:normal;color:${COLORS.ink}">${safe(title)}</h1>`, 20)}
${parts.map(writePart).join('\n')}
${row(`<p style="margin:0;padding-top:12px;border-top:1px solid ${LINES.hair};${SANS};font-size:14px;line-height:20px;color:${COLORS.soft}">${safe(foot)}</p>`, 28)}
</table>
${OUTLOOK_END}
</td></tr></table>
</body>
</html>
`;
}

const row = (content: string, space: number): string =>
  `<tr><td style="padding-top:${space}px">${content}</td></tr>`;

function writePart({ heading, figures = [], lines = [] }: Part): string {
  const font = `${SANS};font-size:16px;line-height:24px;${BREAKS}`;
  const head =
    heading === undefined
      ? ''
      : row(
          `<h2 style="margin:0;${font};font-weight:bold;color:${COLORS.ink}">${safe(heading)}</h2>`,
          24,
        );
  const counted =
    figures.length === 0
      ? ''
      : row(`<table ${TABLE} width="100%">${figures.map(writeFigure).join('')}</table>`, 16);
  const said = lines.map(({ text, url }, i) => {
    const words = url
      ? `<a href="${escapeHtml(url)}" style="color:${COLORS.link}">${safe(text)}</a>`
      : safe(text);
    const space = heading === undefined && i === 0 ? 16 : 8;
    return row(`<p style="margin:0;${font};color:${COLORS.ink}">${words}</p>`, space);
  });
  return head + counted + said.join('\n');
}

function writeFigure({ name, figure, change }: Figure): string {
  const cell = `padding:8px 0;border-bottom:1px solid ${LINES.hair};${SANS};line-height:28px`;
  return `<tr>
<td style="${cell};font-size:16px;color:${COLORS.ink}">${safe(name)}</td>
<td align="right" style="${cell};padding-left:12px;font-size:22px;color:${COLORS.ink}">${safe(figure)}</td>
<td align="right" style="${cell};padding-left:12px;font-size:14px;line-height:20px;color:${COLORS.soft}">${safe(change)}</td>
</tr>`;
}

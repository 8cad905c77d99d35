/** Small helpers for drawings of text in boxes. */

export const COLOURS = {
  paper: '#fbf7ef',
  card: '#ffffff',
  ink: '#1c1b2e',
  quiet: '#45405a',
  line: '#7c7365',
  strong: '#0e4a42',
  warm: '#f4b23e',
};

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @returns lines of at most `width` characters */
export function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

/** @param y baseline of the first line @param style attributes of the text */
export function textLines(
  x: number,
  y: number,
  lines: string[],
  style: string,
  leading = 19,
): string {
  const spans = lines.map(
    (line, i) => `<tspan x="${x}" y="${y + i * leading}">${escapeXml(line)}</tspan>`,
  );
  return `<text ${style}>${spans.join('')}</text>`;
}

export const box = (x: number, y: number, width: number, height: number, style: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" ${style}/>`;

/** @param title what the picture shows, for readers who do not see it */
export function svg(width: number, height: number, title: string, parts: string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${COLOURS.paper}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

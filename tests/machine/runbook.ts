/** docs/operations.md as a list of commands and of the lines that the page says they print. */
import { readFileSync } from 'node:fs';

export interface Section {
  heading: string;
  /** Blocks of shell commands, in their order. */
  blocks: string[];
  /** Lines of the blocks that show output. */
  printed: string[];
  /** Commands in the text, such as `systemctl reload nginx`. */
  inline: string[];
}

const FENCE = /^ *```(sh)?\n([\s\S]*?)^ *```$/gm;
/** Programs of an operator. A name alone, such as `iostat`, is a word of the text. */
const COMMAND =
  /`((?:site|systemctl|nginx|redis-cli|journalctl|npm run|ss|du|df|date|timedatectl|chown|deploy\/bin\/\w+|curl) [^`…]+)`/g;

export function readRunbook(): Section[] {
  const page = readFileSync('docs/operations.md', 'utf8');
  return page.split(/^(?=##+ )/m).map((text) => {
    const [heading = ''] = text.split('\n');
    const fences = [...text.matchAll(FENCE)].map(([, kind, body = '']) => ({ kind, body }));
    const lines = (isShell: boolean) =>
      fences.filter(({ kind }) => (kind === 'sh') === isShell).map(({ body }) => outdent(body));
    return {
      heading: heading.replace(/^#+ /, ''),
      blocks: lines(true),
      printed: lines(false).flatMap((body) => body.split('\n').filter(Boolean)),
      inline: [...text.replace(FENCE, '').matchAll(COMMAND)].map(([, command = '']) => command),
    };
  });
}

/** Removes the indentation of a list. */
const outdent = (body: string): string => body.replace(/^ {3}/gm, '').trim();

/** Replaces what differs between two runs: ids, numbers and the space between columns. */
export const withoutFigures = (line: string): string =>
  line
    .replace(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, 'ID')
    .replace(/\b[\da-f]{32}\b/g, 'ID')
    .replace(/https?:\/\/[^/ ]+/g, 'URL')
    .replace(/\((?=[\da-f]*\d)[\da-f]{7,12}\)/g, '(COMMIT)')
    .replace(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, 'DAY')
    .replace(/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/g, 'MONTH')
    // A mail server that ends may first say 421.
    .replace(/"reason":"(ESOCKET|421)"/g, '"reason":"SMTP"')
    .replace(/\d+([.,:]\d+)*(ms|s|min)?\b/g, '0')
    .replace(/\d+/g, '0')
    .replace(/[ \t]+/g, ' ')
    .trim();

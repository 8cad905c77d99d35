/**
 * Reads a help page, which is Markdown with four additions:
 *
 * - `{name}` is a setting. Anything else between braces, and a setting that is not set, is an
 *   error.
 * - A line after `{if name}`, `{if not name}` or `{if name=value}` is there only with this setting.
 *   In front of a heading it decides on the whole section.
 * - A line that begins with `: ` describes the term on the line above.
 * - `## Heading {#anchor}` gives the section an anchor.
 * - A paragraph that is one link and nothing else has the height of a button (class `alone`).
 */
import { Marked } from 'marked';

export type HelpSettings = Record<string, unknown>;

interface Drawing {
  /** Name of a drawing in components/drawings/files. */
  name: string;
  caption: string;
}

interface HelpSection {
  anchor: string | undefined;
  heading: string;
  drawing: Drawing | undefined;
  html: string;
}

export interface HelpWords {
  /** The heading, and the document's title. */
  title: string;
  /** The page's main message, also its description for search engines. */
  lead: string;
  drawing: Drawing | undefined;
  /** The links below the main message. */
  links: { to: string; text: string }[];
  sections: HelpSection[];
}

const COMMENT = / ?<!--.*?-->/g;
const CONDITION = /^\{if (not )?(\w+)(?:=(\S+))?\} /;
const DRAWING = /^!\[(.*)\]\((\w+)\)\n*/m;
const LINK = /^- \[(.*)\]\((.*)\)$/gm;
const SECTION = /^(.*?)(?: \{#([\w-]+)\})?\n(.*)$/s;

/** @throws if the page names a setting that is not there, or has words that no reader would see */
export function readHelp(markdown: string, settings: HelpSettings): HelpWords {
  const lines = trueLines(markdown.replace(COMMENT, ''), settings);
  const [top = '', ...sections] = lines.join('\n').split(/^## /m);
  const head = fill(top, settings);
  const [title = '', lead = '', ...rest] = head.split('\n\n');
  const lost = rest.join('\n\n').replace(DRAWING, '').replace(LINK, '').trim();
  if (lost) throw new Error(`A help page shows nothing of this before its first section: ${lost}`);
  return {
    title: title.replace('# ', ''),
    lead: lead.replaceAll('\n', ' '),
    drawing: drawingIn(head),
    links: [...head.matchAll(LINK)].map(([, text = '', to = '']) => ({ text, to })),
    sections: sections.map((section) => readSection(section, settings)),
  };
}

function readSection(markdown: string, settings: HelpSettings): HelpSection {
  const [, heading = '', anchor, body = ''] = SECTION.exec(markdown) ?? [];
  const html = MARKED.parse(body.replace(DRAWING, ''), { async: false });
  const drawing = drawingIn(body);
  if (drawing?.caption)
    throw new Error(`A section of a help page shows no caption: ${drawing.caption}`);
  return {
    anchor,
    heading: fill(heading, settings),
    drawing,
    html: fill(html, settings, escapeHtml).replace(/(?:<dt>.*?<\/dd>)+/gs, '<dl>$&</dl>'),
  };
}

function drawingIn(markdown: string): Drawing | undefined {
  const [, caption = '', name] = DRAWING.exec(markdown) ?? [];
  return name === undefined ? undefined : { name, caption };
}

/** The lines whose conditions are true, without the conditions. */
function trueLines(markdown: string, settings: HelpSettings): string[] {
  let isSectionTrue = true;
  return markdown.split('\n').flatMap((line) => {
    let words = line;
    let isTrue = true;
    for (let found = CONDITION.exec(words); found; found = CONDITION.exec(words)) {
      const [condition, not, name = '', value] = found;
      const setting = settingOf(settings, name);
      const holds = value === undefined ? Boolean(setting) : setting === value;
      isTrue &&= holds !== Boolean(not);
      words = words.slice(condition.length);
    }
    if (words.startsWith('## ')) isSectionTrue = isTrue;
    return isTrue && isSectionTrue ? [words] : [];
  });
}

/**
 * Fills the settings in last, so that none of their signs is Markdown. In the address of a link
 * marked escapes the braces.
 */
function fill(text: string, settings: HelpSettings, protect = (value: string) => value): string {
  return text.replace(/\{(.*?)\}|%7B(.*?)%7D/g, (_, name: string, inAddress: string) => {
    const value = settingOf(settings, name ?? inAddress);
    if (value === null) throw new Error(`A help page shows "${name ?? inAddress}", which is null.`);
    return protect(String(value));
  });
}

function settingOf(settings: HelpSettings, name: string): unknown {
  if (Object.hasOwn(settings, name)) return settings[name];
  throw new Error(`A help page names "${name}", which is no setting.`);
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const MARKED = new Marked({
  renderer: {
    paragraph({ tokens }) {
      const [term = '', text] = this.parser.parseInline(tokens).split('\n: ');
      if (text !== undefined) return `<dt>${term}</dt><dd>${text}</dd>`;
      const isAlone = tokens.length === 1 && tokens[0]?.type === 'link';
      return isAlone ? `<p class="alone">${term}</p>` : false;
    },
  },
});

/** Fills in a prerendered leaflet (pages/leaflet; dist/leaflet.html, and dist/es/leaflet.html in Spanish). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, pathIn } from '#contract/language.ts';

export interface LeafletParts {
  /** For the window's title, and so for the name of a PDF. */
  LEAFLET_NAME: string;
  /** Address in the QR code. */
  LEAFLET_URL: string;
  /** Address for people who type it. */
  LEAFLET_SHORT_URL: string;
  /** The same in words, in two parts: `site.example` and `/r/clinic-7`. A line may end between them. */
  LEAFLET_HOST: string;
  LEAFLET_PATH: string;
  /** The QR code's SVG. */
  LEAFLET_CODE: string;
}

/** Characters above which the address is set smaller, so that it stays on one page. */
const LONG_ADDRESS = 50;

/** @throws an Error if the build has no leaflet in that language */
export function fillLeaflet(distDir: string, language: Language, parts: LeafletParts): string {
  const template = readTemplate(join(distDir, `${pathIn(language, '/leaflet')}.html`));
  const isLong = parts.LEAFLET_HOST.length + parts.LEAFLET_PATH.length > LONG_ADDRESS;
  const values: Record<string, string> = {
    ...mapValues(parts, escapeHtml),
    LEAFLET_CODE: parts.LEAFLET_CODE,
    LEAFLET_LENGTH: isLong ? 'long' : 'short',
  };
  return template.replace(
    /LEAFLET_(?:CODE|HOST|LENGTH|NAME|PATH|SHORT_URL|URL)/g,
    (name) => values[name] ?? name,
  );
}

function readTemplate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`There is no leaflet at ${file}. Run \`npm run build\` first.`, { cause });
  }
}

const mapValues = (parts: LeafletParts, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, change(text)]));

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

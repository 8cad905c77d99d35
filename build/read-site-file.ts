/** Reads site.json, and says what is wrong with it. */
import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { LANGUAGES } from '#contract/language.ts';
import { nearestWord } from '#contract/nearest-word.ts';
import { SITE_KEYS, type SiteFile, siteFileSchema } from './site-file.schema.ts';

/** Far above what facts need. */
const MAX_KB = 64;

interface Read {
  /** Null if there are faults. */
  site: SiteFile | null;
  faults: string[];
}

/** @param file a path that the faults do not repeat */
export function readSiteFile(file: string): Read {
  const read = readText(file);
  if ('fault' in read) return { site: null, faults: [read.fault] };
  let json: unknown;
  try {
    json = JSON.parse(read.text);
  } catch (cause) {
    return { site: null, faults: [describeSyntax(read.text, (cause as Error).message)] };
  }
  const { data = null, error } = siteFileSchema.safeParse(json);
  return { site: data, faults: error?.issues.flatMap(describeIssue) ?? [] };
}

function readText(file: string): { text: string } | { fault: string } {
  try {
    if (statSync(file).size > MAX_KB * 1024) return { fault: `has more than ${MAX_KB} KB` };
    // Some editors begin a file with a mark of its encoding.
    return { text: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return {
      fault:
        code === 'ENOENT'
          ? 'is not there. Run the command in the folder that has it'
          : `cannot be read: ${message}`,
    };
  }
}

function describeSyntax(text: string, message: string): string {
  const line = /\(line (\d+) /.exec(message)?.[1] ?? lineOfFault(text);
  const reason = message.replace(/ at position .*$/, '').replace(/\s+/g, ' ');
  return `line ${line}: this is not JSON. ${reason}`;
}

/** For faults whose line V8 does not name: the first line up to which the text is no beginning of JSON. */
function lineOfFault(text: string): number {
  const lines = text.split('\n');
  const faulty = lines.findIndex((_, i) => !isBeginning(lines.slice(0, i + 1).join('\n')));
  return faulty < 0 ? lines.length : faulty + 1;
}

/** Whether the text is JSON, or JSON that only lacks its end. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (cause) {
    const { message } = cause as Error;
    const at = /at position (\d+)/.exec(message)?.[1];
    return /end of JSON/.test(message) || (at !== undefined && Number(at) >= text.length);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => describeUnknownKey(issue.path.map(String), key));
  return [`${issue.path.join('.')} ${issue.message}`.trim()];
}

const nameOf = (key: string) => key.slice(key.lastIndexOf('.') + 1);

/** A key may also stand in the wrong place, such as a fact outside of `facts`. */
function describeUnknownKey(path: string[], key: string): string {
  const place = path.map((part) => `${part}.`).join('');
  const isBesideOthers = place === '' || place === 'facts.';
  const there = isBesideOthers
    ? SITE_KEYS.filter((known) => known === place + nameOf(known))
    : LANGUAGES.map((language) => place + language);
  const known = isBesideOthers ? [...there, ...SITE_KEYS] : there;
  const nearest = nearestWord(key, known.map(nameOf));
  const meant = known.find((each) => nameOf(each) === nearest);
  const advice = meant ? `Is ${meant} meant?` : `The keys there: ${there.map(nameOf).join(', ')}`;
  return `${place}${key} is not a key. ${advice}`;
}

/** Reads site.json, and says what is wrong with it. */
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { nearestWord } from '#contract/nearest-word.ts';
import { type SiteFile, siteFileSchema } from './site-file.schema.ts';

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
  if (issue.code === 'unrecognized_keys') return issue.keys.map(describeUnknownKey);
  return [`${issue.path.join('.')} ${issue.message}`.trim()];
}

function describeUnknownKey(key: string): string {
  const known = Object.keys(siteFileSchema.shape);
  const meant = nearestWord(key, known);
  return `${key} is not a key. ${meant ? `Is ${meant} meant?` : `The keys: ${known.join(', ')}`}`;
}

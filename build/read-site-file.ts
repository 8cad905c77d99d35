/** Reads site.json and checks it. Its messages are for the operator. */
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { isOneTypoApart } from '#contract/is-one-typo-apart.ts';
import { type SiteFile, siteFileSchema } from './site-file.schema.ts';

interface ReadResult {
  /** Null if there are faults. */
  site: SiteFile | null;
  /** One sentence for each fault, without the file's path. */
  faults: string[];
}

/**
 * Reads and checks the settings of a site. Throws nothing: a missing file is a fault, too.
 *
 * @param file path of a site.json
 */
export function readSiteFile(file: string): ReadResult {
  let json: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    json = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    return { site: null, faults: [describeUnreadable(cause as Error)] };
  }
  const { data = null, error } = siteFileSchema.safeParse(json);
  return { site: data, faults: error?.issues.flatMap(describeIssue) ?? [] };
}

function describeUnreadable(cause: NodeJS.ErrnoException): string {
  // The message of the SyntaxError shows the place of the error.
  if (cause instanceof SyntaxError) return `this is not JSON. ${cause.message}`;
  return cause.code === 'ENOENT'
    ? 'is not there. Run the command in the folder that has it'
    : `cannot be read: ${cause.message}`;
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(describeUnknownKey);
  return [`${issue.path.join('.')} ${issue.message}`.trim()];
}

function describeUnknownKey(key: string): string {
  const known = Object.keys(siteFileSchema.shape);
  const meant = known.find((one) => isOneTypoApart(one.toLowerCase(), key.toLowerCase()));
  return `${key} is not a key. ${meant ? `Is ${meant} meant?` : `The keys: ${known.join(', ')}`}`;
}

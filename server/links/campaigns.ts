/**
 * The table of codes: one entry for each link that the growth team gave away. It is a JSON file, so that a new clinic needs no
 * build:
 *
 *   [{ "code": "clinic-7", "label": "Children's clinic, Springfield", "channel": "clinic", "since": "2026-01-31" }]
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const MAX_CODE = 64;
const MAX_LABEL = 120;
/** Letters, digits and signs that a URL carries as they are. The last one is no punctuation, because messages end with it. */
const CODE = /^[a-z\d](?:[\w.~-]*[a-z\d])?$/i;
const CODE_ERROR = `must be 1 to ${MAX_CODE} letters, digits, ".", "_", "~" or "-", such as clinic-7, with a letter or digit at both ends`;

export const codeSchema = z
  .string({ error: CODE_ERROR })
  .max(MAX_CODE, CODE_ERROR)
  .regex(CODE, CODE_ERROR);

const campaignSchema = z.strictObject(
  {
    /** The link's `ref`. */
    code: codeSchema,
    /** For reports. Visitors never see it. */
    label: z
      .string({ error: 'must be a text for the report, such as a name' })
      .trim()
      .min(1, 'must not be empty')
      .max(MAX_LABEL, `must be at most ${MAX_LABEL} characters`),
    /** How the link reaches people. */
    channel: z
      .string({ error: 'must be a word, such as clinic, event, newsletter or partner' })
      .regex(/^[a-z][a-z\d-]{0,31}$/, 'must be a word in small letters, such as clinic'),
    /** UTC date of the first use. */
    since: z.iso.date({ error: 'must be a date, such as 2026-01-31' }),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'must be { "code", "label", "channel", "since" }' : undefined,
  },
);
export type CodeEntry = z.infer<typeof campaignSchema>;

/** @throws an Error that names the file, each faulty entry, and what to change */
export function readCampaigns(path: string): CodeEntry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(
      `CAMPAIGNS_FILE names ${path}, which cannot be read: ${(cause as Error).message}`,
      { cause },
    );
  }
  return parseCampaigns(text, path);
}

/**
 * For reports: a fault in the table costs the labels, and nothing else.
 *
 * @param path null: there is no table
 * @param warn gets the message of a fault
 */
export function readCodes(path: string | null, warn: (message: string) => void): CodeEntry[] {
  try {
    return path === null ? [] : readCampaigns(path);
  } catch (cause) {
    warn((cause as Error).message);
    return [];
  }
}

/** @param name of the file, for messages @throws an Error as `readCampaigns` does */
export function parseCampaigns(text: string, name: string): CodeEntry[] {
  const entries = parseList(text, name);
  const parsed = z.array(campaignSchema).safeParse(entries);
  const faults = parsed.success
    ? repeatedCodes(parsed.data)
    : parsed.error.issues.map((issue) => describeIssue(issue, entries));
  if (parsed.success && faults.length === 0) return parsed.data;
  throw new Error(`${name} has faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

function parseList(text: string, name: string): unknown[] {
  let value: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new Error(`${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (Array.isArray(value)) return value;
  throw new Error(
    `${name} must be a list in square brackets: [{ "code": …, "label": …, "channel": …, "since": … }]`,
  );
}

function describeIssue(
  { path: [index = 0, field], message }: z.core.$ZodIssue,
  entries: unknown[],
) {
  const place = nameOfEntry(Number(index), entries[Number(index)]);
  return field === undefined ? `${place}: ${message}` : `${place}: "${String(field)}" ${message}`;
}

/** Compares without case, because people type codes from paper. */
function repeatedCodes(campaigns: CodeEntry[]): string[] {
  const first = new Map<string, number>();
  return campaigns.flatMap((campaign, i) => {
    const key = campaign.code.toLowerCase();
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, i);
      return [];
    }
    return [
      `${nameOfEntry(i, campaign)}: entry ${earlier + 1} has the same code: change one of them`,
    ];
  });
}

/** Counts from 1, as people do: `entry 3 (clinic-7)`. */
function nameOfEntry(index: number, entry: unknown): string {
  const code = (entry as { code?: unknown } | null)?.code;
  return `entry ${index + 1}${typeof code === 'string' ? ` (${code})` : ''}`;
}

/** Ledgers for tests of the report, with every kind of odd line, and the slow and simple way to count them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

export type Line = Record<string, unknown>;

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export const uuidOf = (n: number, random = () => 0.5): string =>
  `019c${Math.floor(random() * 65_535)
    .toString(16)
    .padStart(4, '0')}-5678-7abc-8def-${n.toString(16).padStart(12, '0')}`;

export const REPORT_END = Date.UTC(2026, 0, 31);
const DAY_MS = 86_400_000;

export function makeLine(n: number, random: () => number): Line {
  const pick = <T>(...values: T[]) => values[Math.floor(random() ** 2 * values.length)] as T;
  const received = REPORT_END - Math.floor(random() * 20 * DAY_MS);
  const sent = received - 20;
  const made = sent - (random() < 0.3 ? Math.floor(random() * 3 * DAY_MS) : 30);
  return {
    level: 30,
    time: received,
    id: uuidOf(n, random),
    visit_id: pick(uuidOf(1_000_000 + Math.floor(n / 3)), null, 'no-uuid'),
    event: pick('hero_cta_click', 'lower_cta_click', 'newer_cta_click'),
    referrer: pick(
      'clinic-1',
      null,
      'clinic-2',
      'clinic-3',
      'Zürich 🏥',
      'say "hi"',
      '',
      'a\u001b[2J',
    ),
    ip: null,
    timestamp: pick(new Date(made).toISOString(), 'yesterday'),
    page_url: 'https://site.example/?ref=clinic-1',
    user_agent: pick('Mozilla/5.0 (X11)', 'Googlebot/2.1', 'curl/8.0'),
    is_mobile: pick(true, false, undefined),
    sent_at: pick<unknown>(new Date(sent).toISOString(), null, undefined, 7),
    campaign: pick<unknown>(
      undefined,
      { source: 'newsletter', medium: 'email' },
      { medium: 'email', source: 'newsletter' },
      null,
      { source: 5 },
      {},
      'x',
    ),
    referring_domain: pick<unknown>(undefined, 'search', 'social', null, 5),
    screen_class: pick<unknown>(undefined, 'small', 'large', 'huge', null),
    seq: pick<unknown>(undefined, 1, 2, 0, -1, 1.5),
    received_at: new Date(received).toISOString(),
    via: pick<unknown>('fetch', 'beacon', 'ping', undefined, 'post', null),
    is_bot: pick(false, false, true),
    private: pick<unknown>(undefined, true, false, 'yes'),
  };
}

/** Not clicks; `null`: spoils the text of a good line. */
const ODD_LINES: ((line: Line) => string)[] = [
  () => 'garbage',
  () => '',
  () => '{}',
  () => 'null',
  (line) => JSON.stringify(line).slice(0, 60),
  (line) => JSON.stringify({ ...line, id: 'no' }),
  (line) => JSON.stringify({ ...line, id: '019c1234-5678-9abc-8def-000000000000' }),
  (line) => JSON.stringify({ ...line, is_bot: 'no' }),
  (line) => JSON.stringify({ ...line, referrer: 7 }),
  (line) => JSON.stringify({ ...line, received_at: '2026-02-30T00:00:00.000Z' }),
  (line) => JSON.stringify({ ...line, received_at: 'today' }),
  (line) => JSON.stringify({ ...line, user_agent: undefined }),
  (line) => `${JSON.stringify(line)}}`,
  (line) => JSON.stringify(line).replace('"level":30', '"level":030'),
  (line) => JSON.stringify(line).replace('"level":30', '"level":30,'),
  (line) => JSON.stringify(line).replace('"level"', '"lev\tel"'),
  (line) => `x${JSON.stringify(line)}`,
];
/** Clicks, written in a way that our server does not write. */
const ODD_CLICKS: ((line: Line) => string)[] = [
  (line) => JSON.stringify(line, null, 1).replaceAll('\n', ' '),
  (line) => JSON.stringify(line).replace('{"level":30', '{"level":3.5e1,"more":{"a":[1]}'),
  (line) => JSON.stringify({ ...line, id: String(line.id).toUpperCase() }),
  (line) => JSON.stringify(line).replace('"event"', '"\\u0065vent"'),
  (line) => JSON.stringify(line).replace('"is_bot"', '"is_bot":"twice","is_bot"'),
  (line) => `${JSON.stringify(line)}\r`,
  (line) => `  ${JSON.stringify(line)}`,
];

/**
 * Writes two servers' ledgers with rotated and packed files, repeated clicks within and between them, odd lines and a torn
 * end.
 *
 * @param folder gets the data folders
 * @returns the data folders
 */
export function makeOddLedgers(folder: string, seed: number, count: number): string[] {
  const random = randomFrom(seed);
  const folders = [join(folder, '1'), join(folder, '2')];
  const files: string[][] = Array.from({ length: 6 }, () => []);
  const add = (text: string) => files[Math.floor(random() * files.length)]?.push(text);
  for (let n = 1; n <= count; n += 1) {
    const line = makeLine(n, random);
    const write = random() < 0.15 ? ODD_CLICKS : [JSON.stringify];
    add((write[Math.floor(random() * write.length)] as (l: Line) => string)(line));
    if (random() < 0.15) add(JSON.stringify(repeat(line, random)));
    if (random() < 0.1) {
      const spoil = ODD_LINES[Math.floor(random() * ODD_LINES.length)] as (l: Line) => string;
      add(spoil(makeLine(n + 500_000, random)));
    }
  }
  for (const [i, folder] of folders.entries()) {
    mkdirSync(folder, { recursive: true });
    const text = (k: number) => files[i * 3 + k]?.map((line) => `${line}\n`).join('') ?? '';
    writeFileSync(join(folder, 'clicks.jsonl-20260101.gz'), gzipSync(text(0)));
    writeFileSync(join(folder, 'clicks.jsonl.1'), text(1));
    writeFileSync(join(folder, 'clicks.jsonl'), `${text(2)}${JSON.stringify(makeLine(0, random))}`);
  }
  return folders;
}

/** The same click again, received earlier or later, and perhaps by another version of the server. */
function repeat(line: Line, random: () => number): Line {
  const received = Date.parse(String(line.received_at)) + Math.floor((random() - 0.5) * 4 * DAY_MS);
  return {
    ...line,
    received_at: new Date(received).toISOString(),
    ...(random() < 0.3 && { is_bot: line.is_bot !== true, via: 'beacon' }),
  };
}

/** All complete lines, file by file, in the order in which the report reads them. */
export function allLines(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    ['clicks.jsonl-20260101.gz', 'clicks.jsonl.1', 'clicks.jsonl'].flatMap((name) => {
      const bytes = readFileSync(join(folder, name));
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      return text.split('\n').slice(0, -1);
    }),
  );
}

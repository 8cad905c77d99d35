/**
 * Makes ledgers for measurements: lines as the server writes them, always the same for one number.
 *
 *   node bench/report-data.ts FOLDER CLICKS     writes FOLDER/1 and FOLDER/2, each with rotated files
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', clicks = ''] = process.argv.slice(2);
const COUNT = Number(clicks);
if (!folder || !Number.isInteger(COUNT)) {
  throw new Error('Usage: node bench/report-data.ts FOLDER CLICKS');
}

const DAYS = 30;
const LAST_DAY = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
/** One in so many clicks is also in the other server's ledger, because the browser sent it again. */
const REPEATED = 200;

let state = 1;
/** A small generator of pseudo-random numbers (xorshift32). @returns 0 to 1 */
function random(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}
/** Few numbers are frequent, and most are rare. */
const skewed = (count: number) => Math.floor(count * random() ** 3);
const hex = (digits: number) =>
  Math.floor(random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0');

function uuid(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${'89ab'[Math.floor(random() * 4)]}${hex(3)}-${hex(6)}${hex(6)}`;
}

const AGENTS = Array.from(
  { length: 300 },
  (_, i) =>
    `Mozilla/5.0 (${i % 2 ? 'iPhone; CPU iPhone OS 18_1 like Mac OS X' : 'Windows NT 10.0; Win64; x64'}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + i}.0.0.0 Safari/537.36`,
);
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const SCREENS = ['small', 'medium', 'large'];
const DOMAINS = ['search', 'social', 'partner', 'direct', 'other'];
const UTM = ['newsletter', 'conference', 'poster', 'podcast'];

function line(n: number): string {
  const made = LAST_DAY - DAYS * DAY_MS + Math.floor((n / COUNT) * DAYS * DAY_MS);
  const sent = made + 40 + (random() < 0.01 ? Math.floor(random() * 2 * DAY_MS) : 0);
  const received = sent + Math.floor(random() * 200);
  const isBot = random() < 0.03;
  const agent = skewed(AGENTS.length);
  const ref = random() < 0.2 ? null : `clinic-${skewed(400)}`;
  const isPrivate = random() < 0.04;
  const address = isPrivate ? null : `203.0.113.${Math.floor(random() * 255)}`;
  return `${JSON.stringify({
    level: 30,
    time: received,
    pid: 4711,
    hostname: 'site-1',
    id: uuid(made),
    visit_id: random() < 0.05 ? null : uuid(made - 9000),
    event: random() < 0.6 ? 'hero_cta_click' : 'lower_cta_click',
    referrer: ref,
    ip: address,
    timestamp: new Date(made).toISOString(),
    page_url: `https://drive.example/${ref ? `?ref=${ref}` : ''}`,
    user_agent: isBot ? ROBOT : AGENTS[agent],
    is_mobile: agent % 2 === 1,
    sent_at: new Date(sent).toISOString(),
    ...(random() < 0.2 && {
      campaign: { source: UTM[skewed(4)], medium: 'email', campaign: `week-${skewed(20)}` },
    }),
    referring_domain: DOMAINS[skewed(5)],
    screen_class: SCREENS[skewed(3)],
    // One visit in twenty has a second click.
    seq: random() < 0.95 ? 1 : 2,
    remote_ip: address,
    received_at: new Date(received).toISOString(),
    via: random() < 0.9 ? 'fetch' : 'beacon',
    is_bot: isBot,
    skew_ms: 12,
    req_id: `m7-${n.toString(36)}`,
    ...(isPrivate && { private: true }),
  })}\n`;
}

/** One file for each ten days and server. The last one is the current ledger. */
const opened = new Map<string, number>();
function fileFor(server: number, n: number): number {
  const third = Math.min(2, Math.floor((n / COUNT) * 3));
  const name = third === 2 ? 'clicks.jsonl' : `clicks.jsonl-2026110${third + 1}`;
  const path = join(folder, String(server), name);
  let fd = opened.get(path);
  if (fd === undefined) {
    mkdirSync(join(folder, String(server)), { recursive: true });
    fd = openSync(path, 'w');
    opened.set(path, fd);
  }
  return fd;
}

const waiting = new Map<number, string[]>();
function write(fd: number, text: string): void {
  const lines = waiting.get(fd) ?? [];
  waiting.set(fd, lines);
  lines.push(text);
  if (lines.length >= 2000) flush(fd, lines);
}
function flush(fd: number, lines: string[]): void {
  writeSync(fd, lines.join(''));
  lines.length = 0;
}

for (let n = 0; n < COUNT; n += 1) {
  const text = line(n);
  const server = n % 2;
  write(fileFor(server + 1, n), text);
  if (n % REPEATED === 0) write(fileFor(2 - server, n), text);
}
for (const [fd, lines] of waiting) flush(fd, lines);
for (const fd of opened.values()) closeSync(fd);

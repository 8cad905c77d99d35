/**
 * Writes dist/nginx/*.conf: the headers and types with which nginx serves the files of this build. They are what the
 * server itself answers, asked for each kind of file; so the two cannot drift apart.
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fastify, type LightMyRequestResponse } from 'fastify';
import { readBuiltSite } from '../server/built-site.ts';
import { readConfig } from '../server/config.ts';
import { security } from '../server/http/security.ts';
import { staticFiles } from '../server/http/static.ts';

/** Belong to one answer, or to nginx. */
const OWN = new Set([
  ...['accept-ranges', 'connection', 'content-encoding', 'content-length', 'content-type'],
  ...['date', 'etag', 'keep-alive', 'last-modified', 'transfer-encoding', 'vary'],
]);

/** Depend on the request: made by a map in deploy/nginx/site.conf. */
const VARIABLES: Record<string, string> = { 'cross-origin-opener-policy': '$opener_policy' };

const { distDir, hsts } = readConfig(process.env);
await writeHeaders(distDir);

async function writeHeaders(dist: string): Promise<void> {
  const ask = await startSite(dist);
  const files = globSync('**/*.*', { cwd: join(dist, 'client') })
    .filter(isServed)
    .sort();
  const first = (pattern: RegExp) => `/${files.find((file) => pattern.test(file)) ?? 'none'}`;
  const kinds = {
    page: '/',
    asset: first(/^assets\//),
    'shown-elsewhere': first(/^(og\/|favicon|apple-touch-icon|icon)/),
    file: first(/^(?!assets\/|og\/|favicon|apple-touch-icon|icon|.*\.html$)/),
    'not-found': '/there/is/no/such/page',
  };
  const folder = join(dist, 'nginx');
  mkdirSync(folder, { recursive: true });
  for (const [kind, path] of Object.entries(kinds)) {
    writeFileSync(join(folder, `${kind}-headers.conf`), headerLines(await ask(path)));
  }
  writeFileSync(join(folder, 'types.conf'), await typeLines(files, ask));
  process.stdout.write(`The headers of ${files.length} files are in ${folder}.\n`);
}

type Ask = (path: string) => Promise<LightMyRequestResponse>;

/** The part of the server that answers with files, behind a proxy that speaks TLS. */
async function startSite(dist: string): Promise<Ask> {
  const app = fastify({ trustProxy: true });
  await app.register(security, { site: readBuiltSite(dist), hsts });
  await app.register(staticFiles, { distDir: dist, notFoundLimit: 0 });
  return (url) => app.inject({ url, headers: { 'x-forwarded-proto': 'https' } });
}

function isServed(file: string): boolean {
  return !/\.(br|gz)$/.test(file) && !/(^|\/)\.(?!well-known\/)/.test(file);
}

function headerLines({ headers }: LightMyRequestResponse): string {
  const sent = Object.entries(headers).filter(([name]) => !OWN.has(name));
  // What compression varies by, nginx says itself.
  if (String(headers.vary).includes('sec-fetch-site')) sent.push(['vary', 'sec-fetch-site']);
  return sent
    .map(
      ([name, value]) => `add_header ${name} ${VARIABLES[name] ?? quoted(String(value))} always;\n`,
    )
    .join('');
}

/** One type per ending. A page's own address has none: its type is that of its file. */
async function typeLines(files: string[], ask: Ask): Promise<string> {
  const types = new Map<string, string>([['html', 'text/html; charset=utf-8']]);
  for (const file of files) {
    const ending = extname(file).slice(1);
    if (types.has(ending)) continue;
    types.set(ending, String((await ask(`/${file}`)).headers['content-type']));
  }
  const lines = [...types].map(([ending, type]) => `  ${quoted(type)} ${ending};\n`);
  return `types {\n${lines.join('')}}\ndefault_type application/octet-stream;\n`;
}

/** For nginx, which would take $ for a variable: none of our headers has one. */
function quoted(value: string): string {
  if (/[$\n]/.test(value)) throw new Error(`nginx cannot be told to send ${value}`);
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

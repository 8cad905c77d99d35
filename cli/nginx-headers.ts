/**
 * Writes dist/nginx/*.conf: the folder, the headers and the types with which nginx serves the files of this build. It takes the
 * headers from the server's own answer for each kind of file, so that nginx and the server cannot differ.
 */
import { globSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fastify, type LightMyRequestResponse } from 'fastify';
import { readBuiltSite } from '../server/built-site.ts';
import { readConfig } from '../server/config.ts';
import { security, setApiHeaders } from '../server/http/security.ts';
import { staticFiles } from '../server/http/static.ts';

/** Headers of a single answer, or headers that nginx sets. */
const OWN = new Set([
  ...['accept-ranges', 'connection', 'content-encoding', 'content-length', 'content-type'],
  ...['date', 'etag', 'keep-alive', 'last-modified', 'transfer-encoding', 'vary'],
]);

/** Headers that depend on the request. A map in deploy/nginx/site.conf computes them. */
const VARIABLES: Record<string, string> = { 'cross-origin-opener-policy': '$opener_policy' };

const API_ANSWER = '/api/answer';

const { distDir, hsts } = readConfig(process.env);
await writeHeaders(distDir);

async function writeHeaders(dist: string): Promise<void> {
  const ask = await startSite(dist);
  const files = globSync('**/*.*', { cwd: join(dist, 'client') })
    .filter(isServed)
    .sort();
  const first = (pattern: RegExp) => `/${files.find((file) => pattern.test(file)) ?? 'none'}`;
  const kinds = {
    landing: '/',
    page: '/help/',
    asset: first(/^assets\//),
    'shown-elsewhere': first(/^(og\/|favicon|apple-touch-icon|icon)/),
    file: first(/^(?!assets\/|og\/|favicon|apple-touch-icon|icon|.*\.html$)/),
    'not-found': '/there/is/no/such/page',
    // nginx's own answers have the headers of the servers' answers.
    answer: API_ANSWER,
  };
  const folder = join(dist, 'nginx');
  mkdirSync(folder, { recursive: true });
  for (const [kind, path] of Object.entries(kinds)) {
    writeFileSync(join(folder, `${kind}-headers.conf`), headerLines(await ask(path)));
  }
  // Without links: while an upgrade switches /srv/site, nginx serves the old page with its old headers until it is reloaded.
  const root = quoted(join(realpathSync(dist), 'client'));
  writeFileSync(join(folder, 'root.conf'), `root ${root};\n`);
  writeFileSync(join(folder, 'types.conf'), await typeLines(files, ask));
  process.stdout.write(`The headers of ${files.length} files are in ${folder}.\n`);
}

type Ask = (path: string) => Promise<LightMyRequestResponse>;

/** Starts the part of the server that serves files, as behind a proxy with TLS. */
async function startSite(dist: string): Promise<Ask> {
  const app = fastify({ trustProxy: true });
  await app.register(security, { site: readBuiltSite(dist), hsts });
  await app.register(staticFiles, { distDir: dist, notFoundLimit: 0 });
  app.get(API_ANSWER, { onRequest: setApiHeaders }, async () => ({}));
  return (url) => app.inject({ url, headers: { 'x-forwarded-proto': 'https' } });
}

function isServed(file: string): boolean {
  return !/\.(br|gz)$/.test(file) && !/(^|\/)\.(?!well-known\/)/.test(file);
}

function headerLines({ headers }: LightMyRequestResponse): string {
  const sent = Object.entries(headers).filter(([name]) => !OWN.has(name));
  // nginx adds the Vary header of compression.
  if (String(headers.vary).includes('sec-fetch-site')) sent.push(['vary', 'sec-fetch-site']);
  return sent
    .map(
      ([name, value]) => `add_header ${name} ${VARIABLES[name] ?? quoted(String(value))} always;\n`,
    )
    .join('');
}

/** One type per file extension. A page's address has no extension; its type is that of its .html file. */
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

/** Quotes a value for nginx. @throws for a $, because nginx would read a variable; none of our headers has one */
function quoted(value: string): string {
  if (/[$\n]/.test(value))
    throw new Error(`nginx cannot send ${value}: it has a $ or a line break`);
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

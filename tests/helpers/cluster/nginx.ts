/** Runs nginx with the configuration in deploy/. The test replaces only addresses and folders. */
import { doesNotMatch } from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { PLANTED } from '../server/check-lines.ts';
import { freePort } from '../server/local-server.ts';
import { endDaemon, findProgram, makeDaemonDir, runAsServant, spawnDaemon } from './daemon.ts';

export const findNginx = () => findProgram('/usr/sbin/nginx', '/usr/local/sbin/nginx');

/** The host name, which resolves to this machine. nginx refuses other names. */
const NAME = 'localhost';
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';

interface Options {
  /** Folder with the output of `npm run build` and `npm run deploy:nginx`. */
  distDir: string;
  serverPorts: number[];
  /** Whether to use the settings that the file recommends for servers on other machines. */
  areRemote?: boolean;
  /** Serves the files from their folder, which nginx's user may read, as on a machine that is upgraded. */
  inPlace?: boolean;
  /** Replaces every `client_…_timeout`, so that a test does not wait for the real ones. */
  clientTimeout?: string;
}

/** Resolves when nginx listens. @throws with nginx's message when it refuses the configuration */
export async function startNginx({
  distDir,
  serverPorts,
  areRemote = false,
  inPlace = false,
  clientTimeout,
}: Options) {
  const program = findNginx();
  if (!program) throw new Error('nginx is missing. Run npm run test:install');
  const folder = makeDaemonDir('nginx');
  const [port, plainPort] = [await freePort(), await freePort()];
  const dist = inPlace ? distDir : copyForNginx(distDir, folder.path);
  await writeCertificate(folder.path);
  const own = { dist, folder: folder.path, port, plainPort, serverPorts, areRemote, clientTimeout };
  const site = shippedSite(own);
  writeFileSync(join(folder.path, 'site.conf'), site);
  writeFileSync(join(folder.path, 'nginx.conf'), mainConfiguration(folder.path));
  const args = ['-p', folder.path, '-c', join(folder.path, 'nginx.conf'), '-e', 'stderr'];
  runAsServant(program, [...args, '-t']);
  // SIGTERM to the master also ends its workers.
  const start = () => spawnDaemon(program, args, 'TERM');
  const untilReady = async () => {
    while (!(await isListening(port))) await wait(20);
  };
  let child = start();
  await untilReady();
  return {
    url: `https://${NAME}:${port}`,
    plainUrl: `http://${NAME}:${plainPort}`,
    /** File with the self-signed certificate. */
    certificate: join(folder.path, 'fullchain.pem'),
    /** The ports of the servers that nginx asked, per request. */
    asked: () =>
      readFileSync(join(folder.path, 'asked.log'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => [...line.matchAll(/:(\d+)/g)].map(([, asked]) => Number(asked))),
    /** The text of each log, by its name; `error.log` is nginx's main error log. */
    logs: (): Record<string, string> =>
      Object.fromEntries(
        globSync('*.log', { cwd: folder.path }).map((name) => [
          name,
          readFileSync(join(folder.path, name), 'utf8'),
        ]),
      ),
    /** Reads the configuration again, as `systemctl reload nginx` does. @throws with nginx's message when it refuses it */
    reload() {
      runAsServant(program, [...args, '-t']);
      child.kill('SIGHUP');
    },
    /** Ends it at once, with its connections. */
    stop: () => endDaemon(child, 'SIGTERM'),
    async restart() {
      child = start();
      await untilReady();
    },
    async remove() {
      await endDaemon(child, 'SIGTERM');
      const logs = globSync('*.log', { cwd: folder.path }).map((name) =>
        readFileSync(join(folder.path, name), 'utf8'),
      );
      folder.remove();
      doesNotMatch(logs.join(''), PLANTED, 'A log of nginx has data of a visitor');
    },
  };
}

/** Copies the build into a folder that nginx's user may read. @returns the copy */
function copyForNginx(distDir: string, folder: string): string {
  const dist = join(folder, 'dist');
  cpSync(distDir, dist, { recursive: true });
  chmodSync(dist, 0o755);
  const root = join(dist, 'client');
  writeFileSync(join(dist, 'nginx/root.conf'), `root "${root}";\n`);
  return dist;
}

/** @throws when the file in deploy/ no longer has the text that the test replaces */
function shippedSite(own: {
  dist: string;
  folder: string;
  port: number;
  plainPort: number;
  serverPorts: number[];
  areRemote: boolean;
  clientTimeout: string | undefined;
}): string {
  let text = readFileSync('deploy/nginx/site.conf', 'utf8');
  const replace = (pattern: RegExp, replacement: string) => {
    if (!pattern.test(text)) throw new Error(`deploy/nginx/site.conf has no ${pattern}`);
    text = text.replace(pattern, replacement);
  };
  replace(/listen 80(?=[ ;])/g, `listen 127.0.0.1:${own.plainPort}`);
  replace(/listen 443(?=[ ;])/g, `listen 127.0.0.1:${own.port}`);
  replace(/server_name site\.example;/g, `server_name ${NAME};`);
  replace(/ {2}listen \[::\]:.*\n/g, '');
  replace(/\/etc\/nginx\/tls/g, own.folder);
  replace(/\/srv\/site\/dist/g, own.dist);
  const servers = [...text.matchAll(/server 127\.0\.0\.1:(\d+)/g)];
  for (const [i, [line]] of servers.entries()) {
    const port = own.serverPorts[i];
    // Without a port there is one server less.
    if (port) replace(new RegExp(`${line}\\b`), `server 127.0.0.1:${port}`);
    else replace(new RegExp(` +${line}\\b.*\\n`), '');
  }
  for (const port of own.serverPorts.slice(servers.length))
    replace(/(?<head> +server 127\.0\.0\.1:)\d+(?<tail> .*\n)/, `$&$<head>${port}$<tail>`);
  if (own.areRemote) {
    // In a comment, after "For servers on other machines".
    const [, advice] =
      /other machines,\s+#.*: (max_fails=\d+ fail_timeout=\d+s)\./.exec(text) ?? [];
    if (!advice)
      throw new Error('deploy/nginx/site.conf has no settings for servers on other machines');
    text = text.replaceAll(/max_fails=0(?=;)/g, advice);
  }
  if (own.clientTimeout) {
    replace(/(client_(?:header|body)_timeout) \w+;/g, `$1 ${own.clientTimeout};`);
  }
  replace(
    /access_log \/var\/log\/nginx(\/[^;]*);/,
    `access_log ${own.folder}$1;\n  ${askedLog(own.folder)}`,
  );
  return text;
}

const askedLog = (folder: string) => `access_log ${join(folder, 'asked.log')} asked;`;

function mainConfiguration(folder: string): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o777);
    return `  ${name}_temp_path ${join(folder, name)};\n`;
  });
  return `load_module ${BROTLI};
daemon off; worker_processes 2; pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'error.log')} info;
events { worker_connections 8192; }
worker_rlimit_nofile 16384;
http {
  access_log off;
  log_format asked '$upstream_addr';
${temp.join('')}  include ${join(folder, 'site.conf')};
}
`;
}

/** The kind of a name in a certificate. */
const DNS_NAME = 2;

async function writeCertificate(folder: string): Promise<void> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: NAME }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: DNS_NAME, value: NAME }] }],
  });
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  writeFileSync(join(folder, 'privkey.pem'), key);
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const listening = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return listening;
}

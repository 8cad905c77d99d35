/**
 * The shipped files and those of CI agree with the project: flags, packages, names of services. The
 * alerts name metrics that the real server has, and headings that the runbook has.
 */
import { cpSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ADMIN_PASSWORD, scrape } from '../helpers/server/scrape.ts';
import { makeDataDir, startApp } from '../helpers/server/server-app.ts';
import { startServer } from '../helpers/server/server-process.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** Node's flags between the program and the server's file, without the one for `.env`. */
function flagsIn(path: string): string[] {
  const command = /.*server\/main\.js.*/.exec(read(path).replaceAll(/[",[\]]/g, ' '))?.toString();
  return [...(command ?? '').matchAll(/--(?!env-file)\S+/g)].map(String);
}

test.each(['deploy/systemd/site.service', 'deploy/docker/Dockerfile'])(
  '%s starts the server with the flags of `npm run serve`',
  (path) => {
    const flags = flagsIn('package.json');
    expect(flags).not.toEqual([]);
    expect(flagsIn(path)).toEqual(flags);
  },
);

test('dependencies are the packages that the server loads, and only these: the image has no others', () => {
  const files = globSync('{server,contract}/**/*.{ts,js}');
  const loaded = files.flatMap((file) =>
    [...read(file).matchAll(/^(?!import type).*(?:\bfrom|\bimport\(?)\s*'([@a-z][^:']*)'/gm)].map(
      ([, specifier]) => /^(@[^/]+\/)?[^/]+/.exec(specifier ?? '')?.[0],
    ),
  );
  const { dependencies } = JSON.parse(read('package.json'));
  expect([...new Set(loaded)].sort()).toEqual(Object.keys(dependencies).sort());
});

test('the server starts with the files that the image has', async () => {
  const codeDir = makeDataDir();
  const copies = read('deploy/docker/Dockerfile').matchAll(/^COPY --from=build \/site\/(\S+) /gm);
  for (const [, path = ''] of copies) {
    if (path === 'node_modules') symlinkSync(resolve(path), join(codeDir, path));
    else cpSync(path, join(codeDir, path), { recursive: true });
  }
  const { url } = await startServer({ codeDir });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('Caddy asks the servers of the compose file, at their port', () => {
  const { services } = parse(read('deploy/docker/compose.yaml'), { merge: true });
  const servers = Object.entries<Record<string, Record<string, string>>>(services)
    .filter(([, { environment }]) => environment?.DATA_DIR)
    .map(([name, { environment }]) => `${name}:${environment?.PORT}`);
  expect(servers.length).toBe(2);
  expect(read('deploy/docker/Caddyfile')).toContain(`{$SERVERS:${servers.join(' ')}}`);
});

test('each container has bounds, and a read-only disk, no right that it does not need, and a log that ends', () => {
  const { services } = parse(read('deploy/docker/compose.yaml'), { merge: true });
  expect(Object.keys(services).sort()).toEqual(['caddy', 'postgres', 'server1', 'server2']);
  for (const [name, service] of Object.entries(services))
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
      logging: { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
    });
  const added = Object.entries<{ cap_add?: string[] }>(services).filter(([, one]) => one.cap_add);
  expect(added).toEqual([['caddy', expect.objectContaining({ cap_add: ['NET_BIND_SERVICE'] })]]);
});

test('the GitHub workflow runs .ci/run and no other command', () => {
  const commands = [...read('.github/workflows/ci.yml').matchAll(/\brun: (.+)/g)].map(
    ([, it]) => it,
  );
  expect(commands).toEqual(['.ci/run']);
});

test('.nvmrc names the major version of Node that the dependencies bring', () => {
  const major = /\d+/.exec(JSON.parse(read('package.json')).devDependencies.node)?.[0];
  expect(read('.nvmrc').trim()).toBe(major);
});

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

const RULES: Rule[] = parse(read('deploy/prometheus/site.rules.yml')).groups[0].rules;

test('each alert asks for series that the server has', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD } });
  const series = Object.keys(await scrape(site));
  const asked = RULES.flatMap(({ expr }) => expr.match(/site_\w+(\{\w+="\w+"\})?/g) ?? []);
  expect(asked.length).toBeGreaterThanOrEqual(RULES.length);
  const isThere = (one: string) => series.some((name) => `${name}{`.startsWith(`${one}{`));
  expect(asked.filter((one) => !isThere(one))).toEqual([]);
});

test('each alert has a severity, a summary, a description, and a heading of the runbook', () => {
  const page = 'docs/operations.md';
  const headings = read(page).match(/^#+ \w+$/gm) ?? [];
  const anchors = headings.map((heading) => heading.replace(/^#+ /, '').toLowerCase());
  expect(RULES.length).toBeLessThanOrEqual(9);
  for (const { alert, annotations, ...rule } of RULES) {
    expect(rule, alert).toMatchObject({
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
    });
    expect(annotations, alert).toEqual({
      summary: expect.stringMatching(/^\S.{10,}[^.]$/),
      description: expect.stringMatching(/^\S.{40,}\.$/),
      runbook_url: expect.stringMatching(new RegExp(`^https://.*/${page}#${alert.toLowerCase()}$`)),
    });
    expect(anchors).toContain(alert.toLowerCase());
  }
});

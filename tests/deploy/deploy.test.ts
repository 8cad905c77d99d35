/** The shipped files agree with the project: flags, packages, names of services. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

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
  const files = globSync('{server,contract,site}/**/*.{ts,js}').concat('site.config.ts');
  const loaded = files.flatMap((file) =>
    [...read(file).matchAll(/^(?!import type).*(?:\bfrom|\bimport\(?)\s*'([@a-z][^:']*)'/gm)].map(
      ([, specifier]) => /^(@[^/]+\/)?[^/]+/.exec(specifier ?? '')?.[0],
    ),
  );
  const { dependencies } = JSON.parse(read('package.json'));
  expect([...new Set(loaded)].sort()).toEqual(Object.keys(dependencies).sort());
});

test('Caddy asks the servers of the compose file, at their port', () => {
  const { services } = parse(read('deploy/docker/compose.yaml'), { merge: true });
  const servers = Object.entries<Record<string, Record<string, string>>>(services)
    .filter(([, { environment }]) => environment?.DATA_DIR)
    .map(([name, { environment }]) => `${name}:${environment?.PORT}`);
  expect(servers.length).toBe(2);
  expect(read('deploy/docker/Caddyfile')).toContain(`{$SERVERS:${servers.join(' ')}}`);
});

/** The image gets what the build and the server need. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');

/** The names in `.env.example` that decide what the page says: its last two chapters. */
function variablesOfTheBuild(): string[] {
  const [, chapters = ''] = read('.env.example').split('# --- Both');
  return [...chapters.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name ?? '').sort();
}

test('every setting of the page is a build argument, and the compose file passes it on', () => {
  const [build = ''] = read('deploy/docker/Dockerfile').split('RUN npm run build');
  const inImage = [...build.matchAll(/^ARG (.+)$/gm)].flatMap(([, names]) => names?.split(' '));
  expect(inImage).toEqual(expect.arrayContaining(variablesOfTheBuild()));
  const passedOn = [
    ...read('deploy/docker/compose.yaml').matchAll(/([A-Z_]+): \$\{\1(?::-|-.+)\}/g),
  ].map(([, name]) => name);
  expect(passedOn.sort()).toEqual(inImage.sort());
});

test('the server gets each setting that the page states', () => {
  const [, server = ''] = read('deploy/docker/Dockerfile').split('AS server');
  const given = [...server.matchAll(/([A-Z_]+)=\$\1/g)].map(([, name]) => name ?? '');
  const stated = [...read('contract/privacy.schema.ts').matchAll(/^ {2}([A-Z_]+): /gm)];
  expect(given.sort()).toEqual(stated.map(([, name]) => name).sort());
});

test('dependencies are the packages that the server loads, and only these: the image has no others', () => {
  const files = globSync('{server,cli,contract,dashboards,site}/**/*.{ts,js}').concat(
    'site.config.ts',
  );
  const loaded = files.flatMap((file) =>
    [...read(file).matchAll(/^(?!import type).*(?:\bfrom|\bimport\(?)\s*'([@a-z][^:']*)'/gm)].map(
      ([, specifier]) => /^(@[^/]+\/)?[^/]+/.exec(specifier ?? '')?.[0],
    ),
  );
  const { dependencies } = JSON.parse(read('package.json'));
  expect([...new Set(loaded)].sort()).toEqual(Object.keys(dependencies).sort());
});

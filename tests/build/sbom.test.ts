/** `npm run sbom` names what the site ships. The build before the tests has made the page. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A company can publish the site with any of these. A new one needs a person's decision. */
const LICENCES = [
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  '0BSD',
];

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses: { license?: { id: string }; expression?: string }[];
}

test('npm run sbom lists the packages of the server and of the page, each with its licence', () => {
  execFileSync('npm', ['run', '--silent', 'sbom']);
  const { bomFormat, components } = JSON.parse(readFileSync('dist/sbom.json', 'utf8')) as {
    bomFormat: string;
    components: Component[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ name }) => name);
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).toEqual(expect.arrayContaining(['react-dom', 'posthog-js', 'zustand', 'node']));
  // Only the build and the tests use these.
  expect(names.filter((name) => ['typescript', 'vitest', 'playwright'].includes(name))).toEqual([]);

  const stated = components.flatMap(({ name, licenses }) =>
    (licenses ?? [{}]).map((it) => `${name}: ${it.license?.id ?? it.expression}`),
  );
  const unknown = stated.filter(
    (line) =>
      !line
        .split(': ')[1]
        ?.split(/[()]| AND | OR /)
        .filter(Boolean)
        .every((id) => LICENCES.includes(id)),
  );
  expect(unknown).toEqual([]);
  const licences = readFileSync('dist/licences.txt', 'utf8');
  expect(licences).toMatch(/^react-dom \d.*: MIT$/m);
  expect(licences).toContain('Permission is hereby granted, free of charge');
});

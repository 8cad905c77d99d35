import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Who may import whom: the table of docs/architecture.md. Packages only where they matter; Node's own are free. */
const NPM = '<npm>';
const RULES: Record<string, { folders: string[]; packages: string[] | typeof NPM }> = {
  contract: { folders: ['contract'], packages: ['zod', 'zod/mini'] },
  browser: { folders: ['contract'], packages: ['zustand/vanilla'] },
  tracking: {
    folders: ['contract', 'browser'],
    packages: ['posthog-js/dist/module.slim.no-external.js', 'web-vitals'],
  },
  queries: { folders: ['contract', 'browser'], packages: ['@tanstack/react-query'] },
  illustrations: { folders: ['illustrations'], packages: ['react'] },
  components: {
    folders: ['illustrations', 'contract', 'queries', 'virtual:site'],
    packages: NPM,
  },
  islands: {
    folders: ['components', 'contract', 'browser', 'queries', 'virtual:site'],
    packages: NPM,
  },
  pages: {
    folders: [
      ...['illustrations', 'components', 'islands', 'contract', 'browser', 'queries'],
      ...['virtual:site', 'virtual:inline'],
    ],
    packages: NPM,
  },
  tools: { folders: ['illustrations', 'pages'], packages: NPM },
  renderer: {
    folders: [
      ...['contract', 'components', 'islands', 'browser'],
      ...['site.config.ts', 'virtual:site', 'virtual:inline'],
    ],
    packages: NPM,
  },
  build: { folders: ['contract', 'site.config.ts'], packages: NPM },
  server: { folders: ['contract', 'site.config.ts'], packages: NPM },
  cli: { folders: ['contract', 'site.config.ts', 'server'], packages: NPM },
};
/** The page's first browser code wires the pipeline to the page. */
const MAY_TRACK = 'pages/index/+client.ts';
const MAY_USE_ZOD = /\.schema\.ts$/;

interface Import {
  file: string;
  specifier: string;
}

describe.each(Object.entries(RULES))('%s', (folder, { folders, packages }) => {
  const imports = globSync(`${folder}/**/*.{ts,tsx}`).flatMap(importsOf);

  test('has imports to check', () => {
    expect(imports.length).toBeGreaterThan(0);
  });

  test('imports across folders only what the table allows', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      const target = /^#([^/]+)/.exec(specifier)?.[1] ?? /^virtual:[^/]*/.exec(specifier)?.[0];
      if (!target || folders.includes(target)) return false;
      return !(file === MAY_TRACK && target === 'tracking');
    });
    expect(wrong).toEqual([]);
  });

  test('stays inside its folder with relative imports', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const target = new URL(specifier, `file:///${file}`).pathname.slice(1);
      return (
        !target.startsWith(`${folder}/`) && !(folder === 'cli' && target.startsWith('server/'))
      );
    });
    expect(wrong).toEqual([]);
  });

  test('imports only the packages it may', () => {
    if (packages === NPM) return;
    const wrong = imports.filter(
      ({ specifier }) =>
        /^[@a-z]/i.test(specifier) &&
        !/^(node|virtual):/.test(specifier) &&
        !packages.includes(specifier),
    );
    expect(wrong).toEqual([]);
  });
});

test('zod stays out of the browser’s first bytes: in contract/, only schemas import it', () => {
  const wrong = globSync('contract/*.ts')
    .flatMap(importsOf)
    .filter(({ file, specifier }) => /^zod\b/.test(specifier) && !MAY_USE_ZOD.test(file));
  expect(wrong).toEqual([]);
});

test('tracking/ takes from schemas nothing but types', () => {
  const wrong = globSync('tracking/**/*.ts').filter((file) =>
    /^import (?!type).*\.schema\.ts/m.test(readFileSync(file, 'utf8')),
  );
  expect(wrong).toEqual([]);
});

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].map((match) => ({
    file,
    specifier: match[1] ?? '',
  }));
}

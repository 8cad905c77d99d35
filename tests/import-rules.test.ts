import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** The folders and packages that each folder may import. docs/architecture.md has the directions. Every folder may use Node. */
const NPM = '<npm>';
const RULES: Record<string, { folders: string[]; packages: string[] | typeof NPM }> = {
  contract: { folders: ['contract'], packages: ['zod', 'zod/mini'] },
  browser: {
    folders: ['contract', 'browser'],
    packages: ['zustand/vanilla', 'posthog-js/dist/module.slim.no-external.js', 'web-vitals'],
  },
  words: { folders: ['contract', 'site.config.ts', 'virtual:site'], packages: ['react'] },
  components: {
    folders: ['components', 'browser', 'words', 'contract', 'virtual:site', 'virtual:inline'],
    packages: NPM,
  },
  pages: {
    folders: [
      ...['components', 'browser', 'words', 'contract', 'virtual:site', 'virtual:inline'],
      // Its style sheets.
      'renderer',
    ],
    packages: NPM,
  },
  renderer: {
    folders: [
      ...['components', 'words', 'contract'],
      ...['site.config.ts', 'virtual:site', 'virtual:inline'],
    ],
    packages: NPM,
  },
  build: { folders: ['contract', 'site.config.ts'], packages: NPM },
  server: { folders: ['contract', 'words'], packages: NPM },
};
/**
 * The same inside these two folders: which of their folders each one may import. The files at their top compose the
 * folders and may import all of them.
 */
const INSIDE: Record<string, Record<string, string[]>> = {
  server: {
    http: ['settings.ts'],
    database: [],
    process: ['text'],
    text: [],
    clicks: ['settings.ts', 'http', 'database', 'visits'],
    mail: [],
    registrations: ['settings.ts', 'http', 'database', 'process', 'text', 'mail'],
    report: ['settings.ts', 'http', 'database', 'process', 'text', 'clicks', 'links', 'mail'],
    stats: ['settings.ts', 'http', 'database'],
    links: ['settings.ts', 'http', 'database', 'text'],
    visits: ['database'],
    posthog: ['settings.ts', 'http', 'database', 'process', 'clicks', 'visits'],
    commands: [
      ...['settings.ts', 'built-site.ts', 'lock-folder.ts'],
      // What a start uses, for `site check`.
      ...['describe-start.ts', 'explain-error.ts'],
      ...[
        'http',
        'database',
        'clicks',
        'links',
        'mail',
        'posthog',
        'registrations',
        'report',
        'text',
      ],
    ],
    watch: [
      ...['settings.ts', 'built-site.ts', 'http', 'database', 'clicks', 'posthog', 'registrations'],
    ],
  },
  browser: { clicks: [], posthog: [], inline: ['clicks', 'posthog'] },
};
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
    const wrong = imports.filter(({ specifier }) => {
      const target = /^#([^/]+)/.exec(specifier)?.[1] ?? /^virtual:[^/]*/.exec(specifier)?.[0];
      return target && !folders.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  test('stays inside its folder with relative imports', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const target = new URL(specifier, `file:///${file}`).pathname.slice(1);
      return !target.startsWith(`${folder}/`);
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

describe.each(Object.entries(INSIDE))('inside %s', (top, rules) => {
  test('the table names every folder', () => {
    const folders = globSync(`${top}/*/`).map((path) => path.split('/')[1]);
    expect(folders.sort()).toEqual(Object.keys(rules).sort());
  });

  test('imports go one way, from a folder only to those that it may use', () => {
    const wrong = globSync(`${top}/*/**/*.ts`)
      .flatMap(importsOf)
      .filter(({ file, specifier }) => {
        if (!specifier.startsWith('.')) return false;
        const from = file.split('/')[1] ?? '';
        const to = new URL(specifier, `file:///${file}`).pathname.split('/')[2] ?? '';
        return to !== from && !rules[from]?.includes(to);
      });
    expect(wrong).toEqual([]);
  });

  test('no two files of one folder have the same name', () => {
    const names = globSync(`${top}/*/**/*.ts`).map(
      (path) => `${path.split('/')[1]}: ${path.split('/').pop()}`,
    );
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

test('zod stays out of the browser’s first bytes: in contract/, only schemas import it', () => {
  const wrong = globSync('contract/*.ts')
    .flatMap(importsOf)
    .filter(({ file, specifier }) => /^zod\b/.test(specifier) && !MAY_USE_ZOD.test(file));
  expect(wrong).toEqual([]);
});

test('browser/ takes from schemas nothing but types', () => {
  const wrong = globSync('browser/**/*.ts').filter((file) =>
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

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The folders and packages that each folder may import, besides Node; `npm`: every package. */
const FOLDERS: Record<string, string> = {
  contract: 'zod zod/mini',
  browser: 'browser contract zustand/vanilla posthog-js/dist/module.slim.no-external.js web-vitals',
  words: 'contract site.config.ts virtual:site react marked',
  components: 'components browser words contract virtual:site npm',
  // From the renderer, pages take their style sheets.
  pages: 'components browser words contract renderer virtual:site npm',
  renderer: 'components words contract site.config.ts virtual:site npm',
  build: 'contract site.config.ts npm',
  server: 'contract words npm',
};
/** The same for the rooms of two folders. The files at the top of browser/ compose its rooms, and may import all of them. */
const OTHER_ROOMS = 'settings.ts http database';
/** What every room of the server may import besides. */
const EVERY_ROOM = ['time.ts'];
/** The files at the top of browser/ that its rooms may import. The others start the rooms. */
const BROWSER_FILES = 'api.ts idle.ts opt-out.ts page-store.ts track.ts try-storage.ts';
const ROOMS: Record<string, string> = {
  'server/http': 'settings.ts',
  'server/database': '',
  'server/process': '',
  'server/text': '',
  'server/clicks': 'settings.ts http database visits',
  'server/mail': '',
  'server/registrations': 'settings.ts http database process text mail',
  'server/report': 'settings.ts http database process text clicks links mail',
  'server/links': 'settings.ts http database text',
  'server/visits': '',
  'server/posthog': 'settings.ts http database process clicks visits',
  // `site check` uses parts of a start.
  'server/commands':
    'settings.ts built-site.ts open-data.ts http database clicks links mail posthog registrations report text',
  'server/watch': 'settings.ts built-site.ts http database clicks posthog registrations',
  'browser/clicks': BROWSER_FILES,
  'browser/page': BROWSER_FILES,
  'browser/posthog': `${BROWSER_FILES} clicks`,
  'browser/inline': `${BROWSER_FILES} clicks posthog`,
};

/**
 * The rooms and files that each file at the top of server/ may import; `rooms`: every room. Besides, each may import a file at the
 * top that itself imports none of the server's.
 */
const SERVER_FILES: Record<string, string> = {
  'main.js': 'settings.ts open-data.ts serve.ts',
  'serve.ts': 'settings.ts built-site.ts open-data.ts app.ts rooms',
  'app.ts': 'settings.ts open-data.ts rooms',
  'open-data.ts': 'settings.ts hourly.ts rooms',
  'hourly.ts': 'rooms',
  'built-site.ts': 'settings.ts database',
  // To check a database's address and the keys at the start.
  'settings.ts': 'database registrations',
};

test.each(Object.entries(FOLDERS))('%s imports only what the table allows', (folder, allowed) => {
  const imports = importsOf(`${folder}/**/*.{ts,tsx}`);
  expect(imports.length).toBeGreaterThan(0);
  const may = allowed.split(' ');
  const wrong = imports.filter(({ file, specifier }) => {
    if (specifier.startsWith('node:')) return false;
    if (specifier.startsWith('.')) return !targetOf(file, specifier).startsWith(`${folder}/`);
    const [own] = /^virtual:[^/]*|(?<=^#)[^/]+/.exec(specifier) ?? [];
    return own ? !may.includes(own) : !may.includes('npm') && !may.includes(specifier);
  });
  expect(wrong).toEqual([]);
});

test.each(globSync('{server,browser}/*/'))('%s imports only what the table allows', (path) => {
  const room = path.replace(/\/$/, '');
  const [folder, own = ''] = room.split('/');
  const allowed = ROOMS[room] ?? OTHER_ROOMS;
  const wrong = importsOf(`${room}/**/*.ts`).filter(({ file, specifier }) => {
    const isInFolder = specifier.startsWith('.') || specifier.startsWith(`#${folder}/`);
    const [, to = ''] = targetOf(file, specifier).split('/');
    return isInFolder && ![own, ...EVERY_ROOM, ...allowed.split(' ')].includes(to);
  });
  expect(wrong).toEqual([]);
});

test.each(globSync('*.{ts,js}', { cwd: 'server' }))(
  'server/%s imports only what the table allows',
  (name) => {
    const allowed = (SERVER_FILES[name] ?? '').split(' ');
    const wrong = importsOf(`server/${name}`).filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const [, to = '', inside] = targetOf(file, specifier).split('/');
      return !allowed.includes(to) && !(inside ? allowed.includes('rooms') : isLeaf(to));
    });
    expect(wrong).toEqual([]);
  },
);

/** Whether a file at the top of server/ imports none of the server's. */
const isLeaf = (name: string): boolean =>
  importsOf(`server/${name}`).every(({ specifier }) => !specifier.startsWith('.'));

test('in contract/ only schemas import zod, and browser/ takes only types from them', () => {
  const loads = importsOf('{contract,browser}/**/*.ts').filter(
    ({ file, specifier, isType }) =>
      (/^zod\b/.test(specifier) && !file.endsWith('.schema.ts')) ||
      (file.startsWith('browser/') && specifier.endsWith('.schema.ts') && !isType),
  );
  expect(loads).toEqual([]);
});

const targetOf = (file: string, specifier: string): string =>
  new URL(specifier.replace('#', '/'), `file:///${file}`).pathname.slice(1);

function importsOf(files: string) {
  const IMPORT = /(import type [^']*)?(?:\bfrom|\bimport\(?)\s*'([^']+)'/g;
  return globSync(files).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, type, specifier = '']) => ({
      ...{ file, specifier },
      isType: Boolean(type),
    })),
  );
}

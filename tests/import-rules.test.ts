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
/** The files at the top of a folder that its rooms may import. Others start the rooms. */
const TOP_FILES: Record<string, string> = {
  server: 'settings.ts time.ts pick.ts',
  browser: 'api.ts idle.ts opt-out.ts page-store.ts send-beacon.ts track.ts try-storage.ts',
};
/**
 * The same for the rooms of these two folders. The files at the top of browser/, and those of a
 * room with rooms inside, compose the rooms, and may import all of them.
 */
const ROOMS: Record<string, string> = {
  'server/http': '',
  'server/html': '',
  'server/database': 'works.ts',
  'server/database/sqlite': 'database works.ts',
  'server/database/postgres': 'database',
  'server/clicks': 'http html database database/sqlite posthog/outbox.ts',
  'server/posthog': 'http database',
  'server/posthog/management': 'http database clicks posthog',
  'server/visits': 'http database posthog/outbox.ts posthog/make-event.ts',
  'server/registrations': 'http database html mail',
  'server/links': 'http database',
  'server/links/leaflet': 'html links',
  'server/links/portal-stand-in': 'http html',
  'server/stats': 'http database',
  'server/watch': 'built-site.ts http database database/postgres clicks posthog registrations',
  'server/mail': '',
  'server/process': '',
  'server/report': 'http links links/leaflet',
  'server/report/figures': 'database clicks posthog/outbox.ts http links html report/question.ts',
  'server/report/page': 'html report/question.ts report/causes report/figures',
  'server/report/downloads': 'database html report/question.ts report/figures',
  'server/report/sharing': 'http database links html report/question.ts report/figures report/page',
  'server/report/causes': 'database html links report/question.ts report/figures',
  'server/report/mails':
    'database clicks html links mail watch report/question.ts report/causes report/figures report/page',
  // `site check` uses parts of a start.
  'server/commands':
    'built-site.ts data-folder.ts old-data.ts start-errors.ts http html database database/sqlite database/postgres clicks links mail posthog posthog/management registrations report/figures report/page report/downloads watch',
  'browser/clicks': '',
  'browser/page': '',
  'browser/posthog': 'clicks',
  'browser/visits': '',
  'browser/inline': 'clicks visits',
};

/**
 * The rooms and files that each file at the top of server/ may import; `rooms`: every room.
 * Besides, each may import a file at the top that itself imports none of the server's.
 */
const SERVER_FILES: Record<string, string> = {
  'main.js': 'settings.ts start-errors.ts serve.ts',
  'serve.ts': 'settings.ts built-site.ts open-data.ts app.ts jobs.ts rooms',
  'app.ts': 'settings.ts open-data.ts rooms',
  'jobs.ts': 'settings.ts retention.ts rooms',
  'retention.ts': 'deletion-rules.ts old-data.ts rooms',
  'old-data.ts': 'deletion-rules.ts rooms',
  'open-data.ts': 'settings.ts data-folder.ts rooms',
  'data-folder.ts': 'settings.ts',
  'start-errors.ts': 'settings.ts',
  'works.ts': 'rooms',
  'built-site.ts': 'settings.ts database',
  // Only types, as a test below shows.
  'settings.ts': 'database',
};

/** The files that a reader opens one after the other, to follow one thing through the system. */
const JOURNEYS: Record<string, string> = {
  'a click in the browser':
    'browser/start-delivery.ts browser/clicks/outbox.ts browser/clicks/deliver.ts browser/clicks/send-click.ts contract/limits.ts',
  'a click at the server':
    'server/clicks/log-cta.ts server/clicks/click.ts server/clicks/record-clicks.ts server/database/group-commit.ts server/clicks/store-clicks.ts server/posthog/outbox.ts server/clicks/click-log.ts contract/click-fields.schema.ts',
  'a page view in the browser':
    'browser/inline/visit-inline.ts browser/visits/send-view.ts contract/view.schema.ts',
  'a page view at the server':
    'server/visits/log-view.ts server/visits/view.ts server/posthog/make-event.ts server/database/group-commit.ts server/visits/store-views.ts server/posthog/outbox.ts contract/view.schema.ts',
  'a registration in the browser':
    'components/islands/register-form/register-form.tsx components/queries/use-register.ts contract/register.schema.ts',
  'a registration at the server':
    'server/registrations/register.ts server/registrations/envelope.ts server/registrations/store-registrations.ts contract/register.schema.ts',
  'an event on its way to PostHog':
    'server/jobs.ts server/posthog/sender.ts server/posthog/outbox.ts server/posthog/make-event.ts server/posthog/post-batch.ts',
  'the mail after a registration':
    'server/jobs.ts server/registrations/mails.ts server/registrations/envelope.ts server/registrations/store-registrations.ts server/mail/smtp.ts',
};

test.each(Object.entries(JOURNEYS))('%s reads downwards', (_, journey) => {
  const files = journey.split(' ');
  for (const [place, file] of files.entries()) {
    const before = files.slice(0, place);
    const { loaded } = loadedBy(file);
    expect(
      before.filter((earlier) => loaded.has(earlier)),
      `${file} loads a file before it`,
    ).toEqual([]);
    if (place === 0) continue;
    const next = before.flatMap((earlier) => importsOf(earlier).map(toTarget));
    expect(next, `no file before ${file} imports it`).toContain(file);
  }
});

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

test('the table names every room of the server and of the browser, and no other', () => {
  const rooms = globSync('{server,browser}/*/**/*.ts').map((file) => roomOf(file));
  expect(Object.keys(ROOMS).sort()).toEqual([...new Set(rooms)].sort());
});

test.each(Object.keys(ROOMS))('%s imports only what the table allows', (room) => {
  const may = roomsOf(room);
  const wrong = importsOf(`${room}/*.ts`).filter(({ file, specifier, isType }) => {
    if (!/^(?:\.|#(?:server|browser)\/)/.test(specifier)) return false;
    const target = targetOf(file, specifier);
    const to = roomOf(target);
    const isOwn = isInside(to, room) || may.includes(to) || may.includes(target);
    return !isOwn && !(isType && mayImport(to, room));
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

test('what every room of the server may import takes only types from rooms', () => {
  const values = importsOf('server/{settings,time,pick}.ts').filter(
    ({ specifier, isType }) => specifier.startsWith('.') && !isType,
  );
  expect(values.map(({ specifier }) => specifier)).toEqual([]);
});

test("SQLite's thread loads no package", () => {
  const { loaded, packages } = loadedBy('server/database/sqlite/sqlite-thread.ts');
  expect([...loaded]).toContain('server/clicks/store-clicks.ts');
  expect(packages).toEqual([]);
});

test('in contract/ only schemas import zod, and browser/ takes only types from them', () => {
  const loads = importsOf('{contract,browser}/**/*.ts').filter(
    ({ file, specifier, isType }) =>
      (/^zod\b/.test(specifier) && !file.endsWith('.schema.ts')) ||
      (file.startsWith('browser/') && specifier.endsWith('.schema.ts') && !isType),
  );
  expect(loads).toEqual([]);
});

test('html.raw, which escapes nothing, stands only where files of the project and QR codes are shown', () => {
  const uses = globSync('server/**/*.ts').map((file) => ({
    file,
    uses: readFileSync(file, 'utf8').split('html.raw').length - 1,
  }));
  expect(uses.filter(({ uses }) => uses > 0).sort((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
    // The style.
    { file: 'server/html/html-page.ts', uses: 1 },
    // The drawing, and the QR code.
    { file: 'server/links/leaflet/leaflet.ts', uses: 2 },
  ]);
});

const isInside = (room: string, outer: string): boolean => `${room}/`.startsWith(`${outer}/`);

/** Whether a room may import another one, or a file of it. It may then take types from the room. */
const mayImport = (room: string, other: string): boolean =>
  isInside(other, room) || roomsOf(room).some((allowed) => isInside(allowed, other));

/** What the table allows a room. */
function roomsOf(room: string): string[] {
  const [folder = ''] = room.split('/');
  return `${TOP_FILES[folder]} ${ROOMS[room] ?? ''}`.split(' ').map((name) => `${folder}/${name}`);
}

/**
 * The room of a file: its folder. A file at the top of `server/` or `browser/` has none, and is
 * itself.
 */
const roomOf = (file: string): string => {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return folder.includes('/') ? folder : file;
};

/** All files that a file loads, with those that they load; and the packages of all. */
function loadedBy(start: string) {
  const loaded = new Set<string>();
  const packages: string[] = [];
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { specifier, isType, isCall } of importsOf(file)) {
      if (isType || isCall || specifier.startsWith('node:')) continue;
      if (/^[.#]/.test(specifier)) load(targetOf(file, specifier));
      else packages.push(`${file} imports ${specifier}`);
    }
  };
  load(start);
  return { loaded, packages };
}

const toTarget = ({ file, specifier }: { file: string; specifier: string }): string =>
  /^[.#]/.test(specifier) ? targetOf(file, specifier) : specifier;

const targetOf = (file: string, specifier: string): string =>
  new URL(specifier.replace('#', '/'), `file:///${file}`).pathname.slice(1);

function importsOf(files: string) {
  const IMPORT = /(import type [^']*)?(?:\bfrom|\bimport(\()?)\s*'([^']+)'/g;
  return globSync(files).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, type, call, specifier = '']) => ({
      file,
      specifier,
      isType: Boolean(type),
      /** Whether the file is loaded only when the call runs. */
      isCall: Boolean(call),
    })),
  );
}

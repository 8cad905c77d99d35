/**
 * Installs the programs that suites need, from Debian's packages, and prints which it has found. If
 * a program is still missing, it exits with 1 on CI (the variable CI is set) and for a bench;
 * otherwise the tests that need the program are skipped.
 *
 * Run: node tests/helpers/run/ensure-needs.ts [SUITE …], such as test:e2e; by default all suites
 * of npm test
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { hasChromium } from '../browser/chromium.ts';
import {
  FILTER_LISTS,
  findFilterLists,
  findFirefox,
  findPgbouncer,
  findPostgres,
  findProgram,
  findWebkit,
} from './find-programs.ts';

/** Font packages, each with one of its files. Pages have another layout without these fonts. */
const FONT_PACKAGES: Record<string, string> = {
  'fonts-dejavu-core': 'DejaVuSans.ttf',
  'fonts-liberation': 'LiberationSerif-Regular.ttf',
  'fonts-noto-core': 'NotoSans-Regular.ttf',
  'fonts-roboto-unhinted': 'Roboto-Regular.ttf',
};
const hasFonts = () =>
  process.platform !== 'linux' ||
  Object.values(FONT_PACKAGES).every((file) => globSync(`/usr/{,local/}share/fonts/**/${file}`)[0]);

/**
 * Describes a program that tests need.
 *
 * @param find finds the program; it is called before and after the installation
 * @param packages Debian's packages with the program
 */
const need = (name: string, find: () => unknown, ...packages: string[]) => ({
  name,
  find,
  packages,
});
type Need = ReturnType<typeof need>;
// chromium-headless-shell is optional: without it, tests use the whole browser (chromium.ts).
const CHROMIUM = need('Chromium', hasChromium, 'chromium', 'chromium-headless-shell');
const FIREFOX = need('Firefox', findFirefox, 'firefox-esr');
const FONTS = need('Fonts', hasFonts, ...Object.keys(FONT_PACKAGES));
const POSTGRES = need('PostgreSQL', findPostgres, 'postgresql');
const LISTS = need('EasyList and EasyPrivacy', findFilterLists);
const WRK = need('wrk', () => findProgram('wrk'), 'wrk');
/** Packages with which WebKit plays the film. */
const VIDEO_CODECS = ['gstreamer1.0-libav', 'gstreamer1.0-plugins-good'];

/** The needed programs, by the names of suites and benches. A bench that is not here needs none. */
const NEEDS_OF: Record<string, readonly Need[]> = {
  'test:unit': [POSTGRES, need('PgBouncer', findPgbouncer, 'pgbouncer'), LISTS],
  'test:faults': [
    POSTGRES,
    need('Caddy', () => findProgram('caddy'), 'caddy'),
    need('Prometheus', () => findProgram('promtool'), 'prometheus'),
    need('systemd-analyze', () => findProgram('systemd-analyze'), 'systemd'),
    need('OpenSSL', () => findProgram('openssl'), 'openssl'),
  ],
  'test:e2e': [CHROMIUM, FONTS, need('zbarimg', () => findProgram('zbarimg'), 'zbar-tools')],
  engines: [
    FIREFOX,
    FONTS,
    need('WebKit', findWebkit, 'webkit2gtk-driver', 'xvfb', ...VIDEO_CODECS),
  ],
  'bench ingest': [WRK, POSTGRES],
  'bench rows': [WRK],
  'bench slow-disk': [need('strace', () => findProgram('strace'), 'strace')],
  'bench kills': [POSTGRES],
  'bench standby': [POSTGRES],
  'bench page': [CHROMIUM, FONTS],
  'bench scroll': [CHROMIUM, FONTS],
  'bench closed-tabs': [FIREFOX],
};

/** Debian's package of a content blocker, which contains the filter lists. */
const UBLOCK = 'webext-ublock-origin-firefox';
/** How long apt waits for the lock of another installation, in seconds. */
const LOCK_S = 600;

const suites = process.argv.slice(2);
const isBench = (name: string) => name.startsWith('bench ');
const names = suites.length > 0 ? suites : Object.keys(NEEDS_OF).filter((name) => !isBench(name));
const needs = [...new Set(names.flatMap(needsOf))];
const isMissing = ({ find }: Need) => !find();

installPackages(needs.filter(isMissing).flatMap(({ packages }) => packages));
if (needs.includes(LISTS) && isMissing(LISTS)) unpackLists();
if (needs.includes(CHROMIUM) && isMissing(CHROMIUM)) {
  // apt is missing or has failed, so Playwright's own build is downloaded.
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
}
const missing = needs.filter(isMissing);
const found = needs.filter((need) => !missing.includes(need)).map(({ name }) => name);
if (found.length > 0) process.stdout.write(`Found: ${found.join(', ')}\n`);
for (const { name, packages } of missing)
  process.stderr.write(
    `${name} is missing and could not be installed. On Debian or Ubuntu: apt-get ${packages.length > 0 ? `install ${packages.join(' ')}` : `download ${UBLOCK}`}\n`,
  );
if (missing.length > 0 && (process.env.CI || suites.some(isBench))) process.exit(1);

function needsOf(name: string): readonly Need[] {
  const found = NEEDS_OF[name] ?? (isBench(name) ? [] : null);
  if (!found) throw new Error(`Unknown suite "${name}". Known: ${Object.keys(NEEDS_OF)}`);
  return found;
}

/** Installs packages in one run of apt, if apt exists. Prints a line for each failed command. */
function installPackages(packages: readonly string[]): void {
  if (packages.length === 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Installing the Debian packages ${packages.join(' ')}\n`);
  apt('update', '-qq');
  // apt installs nothing if one name is unknown.
  const known = packages.filter((name) => spawnSync('apt-cache', ['show', name]).status === 0);
  apt('install', '-y', '-qq', '--no-install-recommends', ...known);
}

/** Unpacks the filter lists from Debian's package, without installing the content blocker. */
function unpackLists(): void {
  if (!existsSync('/usr/bin/apt-get')) return;
  mkdirSync(FILTER_LISTS, { recursive: true });
  const download = () => spawnSync('apt-get', ['-qq', 'download', UBLOCK], { cwd: FILTER_LISTS });
  if (download().status !== 0) {
    apt('update', '-qq');
    download();
  }
  for (const file of globSync(`${FILTER_LISTS}/*.deb`))
    spawnSync('dpkg', ['-x', file, FILTER_LISTS]);
}

function apt(...args: string[]): void {
  const command = ['apt-get', '-o', `DPkg::Lock::Timeout=${LOCK_S}`, ...args];
  const [program = '', ...rest] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  const { status, stderr } = spawnSync(program, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) process.stderr.write(`"${command.join(' ')}" failed: ${stderr}\n`);
}

/** The programs that each suite needs in addition to Node, and their Debian packages. */
import { existsSync, globSync } from 'node:fs';
import { hasChromium } from '../browser/chromium.ts';
import {
  findCaddy,
  findFirefox,
  findPostgres,
  findProgram,
  findPromtool,
  findWebkit,
} from './find-programs.ts';

export const ZBARIMG = '/usr/bin/zbarimg';

/** One file of each font package. Without these fonts a browser lays the page out differently. */
const FONT_PACKAGES: Record<string, string> = {
  'fonts-dejavu-core': 'DejaVuSans.ttf',
  'fonts-liberation': 'LiberationSerif-Regular.ttf',
  'fonts-noto-core': 'NotoSans-Regular.ttf',
  'fonts-roboto-unhinted': 'Roboto-Regular.ttf',
};
const hasFont = (file: string): boolean =>
  globSync(`/usr/{,local/}share/fonts/**/${file}`).length > 0;
const hasFonts = () =>
  process.platform !== 'linux' || Object.values(FONT_PACKAGES).every((file) => hasFont(file));

const need = (name: string, find: () => unknown, ...packages: string[]) => ({
  name,
  /** Whether the program is installed. Called again after an installation. */
  isThere: () => Boolean(find()),
  packages,
});
export type Need = ReturnType<typeof need>;
// The second package is optional: without it the tests use the whole browser (chromium.ts).
export const CHROMIUM = need('Chromium', hasChromium, 'chromium', 'chromium-headless-shell');
const FONTS = need('Fonts', hasFonts, ...Object.keys(FONT_PACKAGES));
const POSTGRES = need('PostgreSQL', findPostgres, 'postgresql');
const WRK = need('wrk', () => findProgram('wrk'), 'wrk');
// WebKit needs the last two packages to play the film.
const FILM = ['gstreamer1.0-libav', 'gstreamer1.0-plugins-good'];

/** By the name of the suite. */
export const NEEDS_OF: Record<string, readonly Need[]> = {
  'test:unit': [POSTGRES],
  'test:faults': [
    ...[POSTGRES, need('Caddy', findCaddy, 'caddy')],
    need('Prometheus', findPromtool, 'prometheus'),
  ],
  'test:e2e': [CHROMIUM, FONTS, need('zbarimg', () => existsSync(ZBARIMG), 'zbar-tools')],
  engines: [
    ...[need('Firefox', findFirefox, 'firefox-esr'), FONTS],
    need('WebKit', findWebkit, 'webkit2gtk-driver', 'xvfb', ...FILM),
  ],
  'bench ingest': [WRK, POSTGRES],
  'bench rows': [WRK],
  'bench slow-disk': [need('strace', () => findProgram('strace'), 'strace')],
  'bench kills': [POSTGRES],
  'bench page': [CHROMIUM, FONTS],
};

/** The programs that each suite needs in addition to Node, and their Debian packages. */

import { globSync } from 'node:fs';
import { hasChromium } from '../browser/chromium.ts';
import { findCaddy } from '../cluster/caddy.ts';
import { findProgram } from '../cluster/daemon.ts';
import { findPostgres } from '../cluster/postgres.ts';
import { hasPrometheus } from '../cluster/prometheus.ts';
import { findFirefox } from '../engines/firefox-find.ts';
import { findWebkit } from '../engines/webkit-find.ts';

export interface Need {
  name: string;
  /** Whether the program is installed. Called again after an installation. */
  isThere: () => boolean;
  packages: readonly string[];
}

export const ZBARIMG = '/usr/bin/zbarimg';

/** One file of each font package. Without these fonts a browser lays the page out differently. */
const FONT_PACKAGES: Record<string, string> = {
  'fonts-dejavu-core': 'DejaVuSans.ttf',
  'fonts-liberation': 'LiberationSerif-Regular.ttf',
  'fonts-noto-core': 'NotoSans-Regular.ttf',
  'fonts-roboto-unhinted': 'Roboto-Regular.ttf',
};

export const NEEDS = {
  chromium: {
    name: 'Chromium',
    isThere: hasChromium,
    // The second package is optional: without it the tests use the whole browser (chromium.ts).
    packages: ['chromium', 'chromium-headless-shell'],
  },
  fonts: {
    name: 'Fonts',
    isThere: () => process.platform !== 'linux' || Object.values(FONT_PACKAGES).every(isInstalled),
    packages: Object.keys(FONT_PACKAGES),
  },
  firefox: { name: 'Firefox', isThere: () => Boolean(findFirefox()), packages: ['firefox-esr'] },
  webkit: {
    name: 'WebKit',
    isThere: () => Boolean(findWebkit()),
    // WebKit needs the last two to play the film.
    packages: ['webkit2gtk-driver', 'xvfb', 'gstreamer1.0-libav', 'gstreamer1.0-plugins-good'],
  },
  postgres: {
    name: 'PostgreSQL',
    isThere: () => Boolean(findPostgres()),
    packages: ['postgresql'],
  },
  caddy: { name: 'Caddy', isThere: () => Boolean(findCaddy()), packages: ['caddy'] },
  prometheus: { name: 'Prometheus', isThere: hasPrometheus, packages: ['prometheus'] },
  zbar: {
    name: 'zbarimg',
    isThere: () => Boolean(findProgram(ZBARIMG)),
    packages: ['zbar-tools'],
  },
  python: {
    name: 'Python',
    isThere: () => Boolean(findProgram('/usr/bin/python3')),
    packages: ['python3-minimal'],
  },
  wrk: {
    name: 'wrk',
    isThere: () => Boolean(findProgram('/usr/bin/wrk', '/usr/local/bin/wrk')),
    packages: ['wrk'],
  },
  strace: {
    name: 'strace',
    isThere: () => Boolean(findProgram('/usr/bin/strace')),
    packages: ['strace'],
  },
} satisfies Record<string, Need>;

/** By the name of the suite. */
export const NEEDS_OF: Record<string, readonly Need[]> = {
  'test:unit': [NEEDS.postgres],
  'test:faults': [NEEDS.postgres, NEEDS.python, NEEDS.caddy, NEEDS.prometheus],
  'test:e2e': [NEEDS.chromium, NEEDS.fonts, NEEDS.zbar],
  engines: [NEEDS.firefox, NEEDS.webkit, NEEDS.fonts],
  'bench ingest': [NEEDS.wrk, NEEDS.postgres],
  'bench rows': [NEEDS.wrk],
  'bench slow-disk': [NEEDS.strace],
  'bench kills': [NEEDS.postgres],
  'bench page': [NEEDS.chromium, NEEDS.fonts],
};

const isInstalled = (file: string): boolean =>
  globSync(`/usr/{,local/}share/fonts/**/${file}`).length > 0;

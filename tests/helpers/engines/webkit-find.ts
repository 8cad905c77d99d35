import { existsSync, globSync } from 'node:fs';

export interface Webkit {
  driver: string;
  /** The small browser that the driver drives; Debian keeps it in the library's own folder. */
  browser: string;
  /** The display that nobody sees. */
  display: string;
}

/** The parts of an installed WebKit, or undefined if one is missing. */
export function findWebkit(): Webkit | undefined {
  const driver = '/usr/bin/WebKitWebDriver';
  const display = '/usr/bin/Xvfb';
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(0);
  if (!browser || !existsSync(driver) || !existsSync(display)) return;
  return { driver, browser, display };
}

import { existsSync, globSync } from 'node:fs';

export interface Webkit {
  driver: string;
  /** WebKit's MiniBrowser, which the driver controls. Debian has it in the library's folder. */
  browser: string;
  /** Xvfb, the virtual display. */
  display: string;
}

/** @returns the parts of an installed WebKit; undefined if one is missing */
export function findWebkit(): Webkit | undefined {
  const driver = '/usr/bin/WebKitWebDriver';
  const display = '/usr/bin/Xvfb';
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(0);
  if (!browser || !existsSync(driver) || !existsSync(display)) return;
  return { driver, browser, display };
}

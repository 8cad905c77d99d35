import { existsSync } from 'node:fs';

const USUAL_PLACES = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
];

/** @returns the path of an installed Firefox: FIREFOX_PATH or a usual path */
export function findFirefox(): string | undefined {
  const places = process.env.FIREFOX_PATH ? [process.env.FIREFOX_PATH] : USUAL_PLACES;
  return places.find((path) => existsSync(path));
}

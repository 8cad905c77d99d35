/**
 * Gives a browser only the fonts that a test names, by a fontconfig file, which Chromium reads on
 * Linux. Generic families are resolved by Debian's rules, as for visitors.
 */
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * Makes a folder with copies of the fonts, and a fontconfig file for it.
 *
 * @param files names of installed font files, such as `DejaVuSans.ttf`
 * @returns `env`: the environment variables for the browser; `remove`: deletes the folder
 * @throws if a file is not installed
 */
export function makeFontSet(files: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fonts-'));
  mkdirSync(join(folder, 'fonts'));
  for (const file of files) {
    const [found] = globSync(`/usr/{,local/}share/fonts/**/${file}`);
    if (!found) throw new Error(`${file} is missing: node tests/helpers/run/ensure-needs.ts`);
    copyFileSync(found, join(folder, 'fonts', basename(file)));
  }
  const config = join(folder, 'fonts.conf');
  writeFileSync(
    config,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>`,
  );
  return {
    env: { FONTCONFIG_FILE: config },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

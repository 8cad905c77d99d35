/**
 * Installs the programs for the named suites: `node tests/helpers/run/ensure-needs.ts test:e2e test:faults`. Without a name,
 * those for `npm test`. Prints the programs it found. If one is still missing, exits with 1 on CI (CI is set) and for a bench;
 * elsewhere the tests that need it are skipped.
 */
import { spawnSync } from 'node:child_process';
import { installPackages } from './debian-packages.ts';
import { NEEDS, NEEDS_OF, type Need } from './needs.ts';

const suites = process.argv.slice(2);
const isBench = (name: string) => name.startsWith('bench ');
const missing = ensure(
  suites.length > 0 ? suites : Object.keys(NEEDS_OF).filter((name) => !isBench(name)),
);
for (const { name, packages } of missing) {
  process.stderr.write(
    `${name} is missing and could not be installed. On Debian or Ubuntu: apt-get install ${packages.join(' ')}\n`,
  );
}
if (missing.length > 0 && (process.env.CI || suites.some(isBench))) process.exit(1);

/** @returns the missing programs */
function ensure(names: string[]): Need[] {
  const needs = [...new Set(names.flatMap(needsOf))];
  const absent = needs.filter(({ isThere }) => !isThere());
  installPackages(absent.flatMap(({ packages }) => packages));
  if (needs.includes(NEEDS.chromium) && !NEEDS.chromium.isThere()) downloadChromium();
  const found = needs.filter(({ isThere }) => isThere());
  if (found.length > 0) {
    process.stdout.write(`Found: ${found.map(({ name }) => name).join(', ')}\n`);
  }
  return needs.filter((need) => !found.includes(need));
}

function needsOf(name: string): readonly Need[] {
  const needs = NEEDS_OF[name];
  if (!needs) throw new Error(`Unknown suite "${name}". Known: ${Object.keys(NEEDS_OF)}`);
  return needs;
}

/** Downloads Playwright's own build, because apt is missing or failed. */
function downloadChromium(): void {
  process.stdout.write('Downloading Chromium (npx playwright install chromium)\n');
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
}

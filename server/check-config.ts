/**
 * `npm run serve -- --check-config`: reads and checks what a start would, tries each service that the settings name, and neither listens
 * nor writes. A service without which the server keeps clicks is named, and is not a fault.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBuiltSite } from './built-site.ts';
import { checkServices } from './check-services.ts';
import { describeExamples, describeStart } from './describe-start.ts';
import { explainError } from './explain-error.ts';
import type { Settings } from './settings.ts';

/**
 * @param distDir folder of the build
 * @param say gets sentences for the operator
 * @throws an Error that names each fault
 */
export async function checkConfig(
  config: Settings,
  distDir: string,
  say: (text: string) => void,
): Promise<void> {
  const faults: string[] = [];
  const check = async <T>(act: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (cause) {
      faults.push(explainError(cause as Error, config));
      return null;
    }
  };
  const site = await check(() => readBuiltSite(distDir));
  await check(() => checkFolder(config.dataDir));
  const { databaseUrls } = config;
  if (databaseUrls.length > 0) await check(() => checkDatabase(databaseUrls));
  for (const text of await checkServices(config, site)) say(text);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (!site) return;
  say(describeStart(config, site));
  const examples = describeExamples(site);
  if (examples) say(examples);
}

/** @throws if the server could not write there. A folder that is missing will be made. */
function checkFolder(folder: string): void {
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  if (!statSync(place).isDirectory())
    throw Object.assign(new Error(), { code: 'ENOTDIR', path: place });
  accessSync(place, constants.W_OK | constants.X_OK);
}

async function checkDatabase(urls: URL[]): Promise<void> {
  const { checkPostgres } = await import('./database/postgres.ts');
  await checkPostgres(urls.map(String));
}

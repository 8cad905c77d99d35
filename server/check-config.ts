/**
 * `npm run serve -- --check-config`: reads and checks what a start would, tries each service that the settings name, and neither listens
 * nor writes. A service without which the server keeps clicks is named, and is not a fault.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBuiltSite } from './built-site.ts';
import { checkPrivacy, privacyAdvice } from './check-privacy.ts';
import { checkServices } from './check-services.ts';
import type { Config } from './config.ts';
import { describeExamples, describeStart } from './describe-start.ts';
import { explainError } from './explain-error.ts';
import { readCodes } from './links/campaigns.ts';
import { readKeyFile } from './registrations/key-ring.ts';

/**
 * @param say gets sentences for the operator
 * @throws an Error that names each fault
 */
export async function checkConfig(config: Config, say: (text: string) => void): Promise<void> {
  const faults: string[] = [];
  const check = async <T>(act: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (cause) {
      faults.push(explainError(cause as Error, config));
      return null;
    }
  };
  const site = await check(() => readBuiltSite(config.distDir));
  if (site) {
    await check(() => checkPrivacy(site.privacy, config));
    const advice = privacyAdvice(site.privacy, config);
    if (advice) say(advice);
  }
  for (const folder of foldersOf(config)) await check(() => checkFolder(folder));
  readCodes(config.campaignsFile, (message) => faults.push(message));
  const { keysFile } = config.registrations;
  if (keysFile) await check(() => readKeyFile(keysFile));
  const { databaseUrl } = config;
  if (databaseUrl) await check(() => checkDatabase(databaseUrl));
  for (const text of await checkServices(config, site?.posthogKey != null)) say(text);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (!site) return;
  say(describeStart(config, site));
  const examples = describeExamples(site);
  if (examples) say(examples);
}

/** Several servers with one settings file have a folder each. */
function foldersOf({ dataDir, isDataDirSet, reportLedgers }: Config): string[] {
  return isDataDirSet || reportLedgers.length === 0 ? [dataDir] : reportLedgers;
}

/** @throws if the server could not write there. A folder that is missing will be made. */
function checkFolder(folder: string): void {
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  if (!statSync(place).isDirectory())
    throw Object.assign(new Error(), { code: 'ENOTDIR', path: place });
  accessSync(place, constants.W_OK | constants.X_OK);
}

async function checkDatabase(url: URL): Promise<void> {
  const { connect } = await import('./database/connect-postgres.ts');
  const client = await connect(url);
  await client.end();
}

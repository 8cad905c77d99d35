/** `site check`: tries what a start needs, and each service. Listens nowhere, and writes nothing. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeExamples, isLocal, readBuiltSite } from '../../built-site.ts';
import { DatabaseFault, nameOf } from '../../database/database.ts';
import { describeStart, describeUnknown } from '../../describe-start.ts';
import { explainError } from '../../explain-error.ts';
import { openApi } from '../../posthog/api.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { explain, reachPosthog, reachSmtp, sendClick } from './services.ts';

interface Options {
  /** Folder of the build. */
  build: string;
  /** A running site, which gets one click of a robot. */
  url?: URL;
}

/** Needs the scope that `posthog check` needs. */
const ONE = { query: { kind: 'HogQLQuery', query: 'SELECT 1' }, name: 'site check' };
const NO_PORTAL =
  'Visitors get stand-ins for the portal, the privacy policy and the terms. Set portalHost, privacyUrl and termsUrl in site.json.';

/** @throws (rejects with) an Error that names each fault, one a line */
export async function check({ build, url }: Options, print: (text: string) => void): Promise<void> {
  const settings = readSettings(process.env);
  const faults = describeUnknown(process.env);
  const attempt = async <T>(act: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (cause) {
      faults.push(explainError(cause as Error, settings));
      return null;
    }
  };
  const site = await attempt(() => readBuiltSite(build));
  await attempt(() => checkFiles(settings));
  await attempt(() => checkDatabase(settings));
  const { smtpUrl } = settings;
  if (smtpUrl) await attempt(() => reachSmtp(smtpUrl));
  if (site?.posthogKey) await attempt(() => reachPosthog(site.posthogHost));
  if (site && settings.posthogPersonalKey)
    await attempt(() => openApi(site, settings)('query/', ONE));
  if (url) await attempt(() => sendClick(url));
  if (site) {
    print(`${describeStart(settings, site)}\n`);
    const open = [...describeExamples(site), ...(site.portalHost === null ? [NO_PORTAL] : [])];
    if (!isLocal(site)) faults.push(...open);
    else for (const text of open) print(`Before you go live: ${text}\n`);
    if (site.ipLookupOrigin)
      print(`${site.ipLookupOrigin} learns the address of each visitor who presses a button.\n`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  print('No faults.\n');
}

/** @throws if the server could not write there. A folder that is missing will be made. */
function checkFiles({ dataDir, files }: Settings): void {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  if (!statSync(place).isDirectory())
    throw Object.assign(new Error(), { code: 'ENOTDIR', path: place });
  accessSync(place, constants.W_OK | constants.X_OK);
  if (existsSync(files.database)) accessSync(files.database, constants.W_OK);
}

async function checkDatabase({ databaseUrls, files }: Settings): Promise<void> {
  if (databaseUrls.length > 0) {
    const { checkPostgres } = await import('../../database/postgres.ts');
    await checkPostgres(databaseUrls.map(String)).catch((cause) => {
      if (cause instanceof DatabaseFault) throw cause;
      const names = databaseUrls.map(nameOf).join(', ');
      throw explain(`PostgreSQL (${names})`, 'DATABASE_URL', cause);
    });
  } else if (existsSync(files.database)) {
    const { checkSqlite } = await import('../../database/sqlite-file.ts');
    checkSqlite(files.database);
  }
}

/** `clicks forget`: forgets the clicks of a visitor who asks for it. */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { forgetClicks } from '../server/clicks/forget/forget-clicks.ts';
import { normalAddress, type Wanted } from '../server/clicks/forget/wanted.ts';
import { ledgerFiles } from '../server/clicks/ledger/read-ledger.ts';
import type { Config } from '../server/config.ts';
import { dataFiles } from '../server/data-files.ts';
import { forgetAtPosthog, openReceiptsIfAny } from './forget/forget-at-posthog.ts';
import { describeForgotten, describeSurvey, LIMITS } from './forget/sentences.ts';
import { type Survey, surveyClicks } from './forget/survey.ts';
import { UsageError } from './usage-error.ts';
import { warn, warnOfIgnored } from './warn.ts';

export const FORGET_OPTIONS = {
  visit: { type: 'string', multiple: true },
  ip: { type: 'string' },
  'dry-run': { type: 'boolean' },
  ledger: { type: 'string', multiple: true },
} as const;

interface Arguments {
  visit?: string[] | undefined;
  ip?: string | undefined;
  'dry-run'?: boolean | undefined;
}

/**
 * @param folders the data folders
 * @throws UsageError, or an Error that says what is left to do
 */
export async function forget(
  folders: string[],
  config: Config,
  given: Arguments,
  print: (text: string) => void,
): Promise<void> {
  const asked = readWanted(given);
  for (const folder of folders) checkOwner(folder);
  const ledgers = folders.map((folder) => dataFiles(folder).ledger);
  for (const ledger of ledgers) warnOfIgnored(ledger);
  const survey = await surveyClicks(ledgers, asked);
  if (given['dry-run']) return print(describeSurvey(survey, asked));
  await forgetFound({ folders, config, asked, survey }, print);
}

interface Task {
  folders: string[];
  config: Config;
  asked: Wanted;
  survey: Survey;
}

async function forgetFound(task: Task, print: (text: string) => void): Promise<void> {
  const { config, asked, survey } = task;
  const wanted = { ...asked, visits: new Set([...asked.visits, ...survey.visits]) };
  const now = new Date();
  // Before the ledger, so that the forwarder sends none of them meanwhile, and a crash leaves the lines to be found again.
  await forgetReceipts(config, survey.clicks, wanted, now);
  const all = await forgetInLedgers(task, wanted, now);
  await forgetReceipts(config, all.clicks, wanted, now);
  print(describeForgotten(all, asked, survey));
  const left = await forgetAtPosthog(config, distinctIdsOf(all.clicks, wanted), print);
  print(LIMITS);
  if (left !== null) throw new Error(left);
}

async function forgetInLedgers({ folders, config, survey }: Task, wanted: Wanted, now: Date) {
  const all = { files: 0, rejectedBodies: 0, clicks: survey.clicks };
  for (const folder of folders) {
    const place = { files: dataFiles(folder), databaseUrl: config.databaseUrl };
    const { clicks, files, rejectedBodies } = await forgetClicks(
      place,
      wanted,
      now.toISOString(),
      warn,
    );
    all.files += files.size;
    all.rejectedBodies += rejectedBodies;
    for (const [id, click] of clicks) all.clicks.set(id, click);
  }
  return all;
}

function readWanted({ visit = [], ip }: Arguments): Wanted {
  if (visit.length === 0 && ip === undefined)
    throw new UsageError('Name the visitor: --visit ID, or --ip ADDRESS');
  const wrong = visit.find((id) => !z.uuid().safeParse(id).success);
  if (wrong !== undefined)
    throw new UsageError(`--visit must be the id of a visit, a UUID, not "${wrong}"`);
  const address = ip === undefined ? null : normalAddress(ip);
  if (ip !== undefined && address === null)
    throw new UsageError(`--ip must be an IPv4 or IPv6 address, not "${ip}"`);
  return { visits: new Set(visit.map((id) => id.toLowerCase())), address };
}

/** New files would belong to this user, and the server could not write them. */
function checkOwner(folder: string): void {
  if (ledgerFiles(dataFiles(folder).ledger).length === 0)
    throw new Error(`There is no ledger in ${folder}. Is DATA_DIR right?`);
  const { uid } = statSync(folder);
  if (!process.getuid || process.getuid() === uid) return;
  throw new Error(
    `${folder} belongs to another user (uid ${uid}). Run this command as that user, as the server does.`,
  );
}

async function forgetReceipts(config: Config, clicks: Survey['clicks'], wanted: Wanted, now: Date) {
  const store = await openReceiptsIfAny(config);
  if (!store) return;
  try {
    await store.forgetClicks([...clicks.keys()], now);
    await store.discardVisits([...wanted.visits]);
  } finally {
    await store.close();
  }
}

/** PostHog's names of the visitor: the visits, and the ids of clicks without a visit. */
function distinctIdsOf(clicks: Survey['clicks'], { visits }: Wanted): string[] {
  const alone = [...clicks.values()].filter(({ visit_id }) => !visit_id);
  return [...visits, ...alone.map(({ id }) => id)];
}

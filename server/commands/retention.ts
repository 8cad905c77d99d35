/**
 * `site retention`: shows which data is too old, and with `--yes` deletes it at once. The server
 * deletes such data by itself, unless even the newest row or line is too old (deletion-rules.ts):
 * its clock may be wrong then, and it waits for this command.
 */
import { readBuiltSite } from '../built-site.ts';
import { listOldData, type OldData } from '../old-data.ts';
import { print, withDatabase } from './common.ts';

/** Measures or deletes each kind of old data. @param yes deletes it */
export async function retention({ yes = false, build }: { yes?: boolean; build: string }) {
  const site = readBuiltSite(build);
  const now = Date.now();
  print(`This machine's clock says ${new Date(now).toISOString()}.`);
  await withDatabase(async (db, { dataDir }) => {
    for (const data of listOldData({ db, folder: dataDir, site })) {
      const { old } = await data.measure(data.before(now));
      if (yes && old > 0) print(`Deleted ${data.name}: ${await deleteAll(data, now)}`);
      else print(`${data.name}: ${old}`);
    }
  });
  if (!yes) print('If the clock is right, --yes deletes all of this.');
}

/** Deletes old data of one kind in batches. @returns the number of deleted rows or lines */
async function deleteAll(data: OldData, now: number): Promise<number> {
  let deleted = 0;
  for (let isLast = false; !isLast; ) {
    const batch = await data.deleteSlice(data.before(now), now);
    deleted += batch.count;
    isLast = batch.isLast;
  }
  await data.finish?.();
  return deleted;
}

/**
 * `site retention`: shows what is too old, and with `--yes` deletes it at once. The server deletes
 * it by itself, unless the newest row or line is too old (deletion-rules.ts): then its clock may be
 * wrong.
 */
import { readBuiltSite } from '../built-site.ts';
import { listOldData, type OldData } from '../old-data.ts';
import { print, withDatabase } from './common.ts';

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

async function deleteAll(data: OldData, now: number): Promise<number> {
  let deleted = 0;
  for (let isLast = false; !isLast; ) {
    const slice = await data.deleteSlice(data.before(now), now);
    deleted += slice.count;
    isLast = slice.isLast;
  }
  await data.finish?.();
  return deleted;
}

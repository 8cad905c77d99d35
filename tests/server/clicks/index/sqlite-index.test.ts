import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteStore } from '../../../../server/clicks/index/sqlite-index.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';
import { describeStore } from './click-index-contract.ts';

describeStore('SQLite', async () => {
  const path = join(makeDataDir(), 'site.sqlite');
  return {
    open() {
      const store = openSqliteStore(path, () => {});
      onTestFinished(() => store.close().catch(() => {}));
      return store;
    },
  };
});

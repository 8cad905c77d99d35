import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteIndex } from '../../../../server/clicks/index/sqlite-index.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';
import { describeClickIndex } from './click-index-contract.ts';

describeClickIndex('SQLite', async () => {
  const path = join(makeDataDir(), 'site.sqlite');
  return {
    open() {
      const clickIndex = openSqliteIndex(path, () => {});
      onTestFinished(() => clickIndex.close().catch(() => {}));
      return clickIndex;
    },
  };
});

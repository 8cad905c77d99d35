/** POST /k/visit: the row of a view that ended at once has a mark, which comes as a second view. */
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../server/time.ts';
import { pageView } from '../../helpers/fakes/page-view.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { startViewSite } from '../../helpers/server/view-site.ts';

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test.each([
    ['after its view', [false, true]],
    ['before its view', [true, false]],
    ['twice', [false, true, true]],
  ])(
    'a view that ended at once is one row with that mark, if the mark comes %s',
    async (_, marks) => {
      const { view, visits, waiting } = await startViewSite({ env: await makeEnv() });
      const sent = pageView();
      for (const is_brief of marks) expect((await view({ ...sent, is_brief })).status).toBe(200);
      expect(await visits()).toMatchObject([{ id: sent.id, is_brief: true }]);
      expect(await waiting()).toHaveLength(1);
    },
  );

  test('a view and its mark that come at the same time are one row with the mark', async () => {
    const { view, visits } = await startViewSite({ env: await makeEnv() });
    const sent = Array.from({ length: 10 }, () => pageView());
    await Promise.all(sent.flatMap((one) => [view(one), view({ ...one, is_brief: true })]));
    expect(await visits()).toMatchObject(sent.map(() => ({ is_brief: true })));
  });

  test('a mark that comes minutes after its view changes nothing', async () => {
    let now = Date.now();
    const { view, visits } = await startViewSite({ env: await makeEnv(), now: () => now });
    const sent = pageView();
    await view(sent);
    now += 2 * MINUTE_MS;
    expect((await view({ ...sent, is_brief: true })).body).toEqual({ status: 'duplicate' });
    expect(await visits()).toMatchObject([{ is_brief: false }]);
  });
});

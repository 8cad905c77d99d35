import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';

test('each day (UTC) has its own file, and half a line of a killed server spoils no other line', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const dataDir = makeDataDir();
    const fileOf = (day: string) => join(dataDir, `clicks-${day}.jsonl`);
    vi.setSystemTime('2026-01-31T23:59:59.999Z');
    writeFileSync(fileOf('2026-01-31'), '{"level":30,"id":"01');
    const site = await startApp({ dataDir });
    const ids = [v7(), v7()];
    await postClick(site, makeBody({ id: ids[0] }));
    await postClick(site, makeBody({ id: ids[1] }));
    vi.setSystemTime('2026-02-01T00:00:00Z');
    await postClick(site, makeBody({ id: ids[1] }));
    const [torn, ...lines] = readFileSync(fileOf('2026-01-31'), 'utf8').trim().split('\n');
    expect(torn).toBe('{"level":30,"id":"01');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
    expect(JSON.parse(readFileSync(fileOf('2026-02-01'), 'utf8'))).toMatchObject({
      id: ids[1],
      duplicate: true,
    });
  } finally {
    vi.useRealTimers();
  }
});

import { expect, test } from 'vitest';
import { spansOf } from '../../rehearse/layout/alert-spans.ts';

const series = (alertstate: string, ...times: number[]) => ({
  metric: { alertname: 'SiteServerDown', alertstate },
  values: times.map((at): [number, string] => [at, '1']),
});

test('samples of all servers become spans: first pending, then firing, with gaps between', () => {
  const spans = spansOf(
    [series('pending', 1, 2, 3), series('pending', 2, 9), series('firing', 3, 4)],
    1,
  );
  expect(spans).toEqual([
    { alert: 'SiteServerDown', state: 'pending', from: 1000, to: 3000 },
    { alert: 'SiteServerDown', state: 'pending', from: 9000, to: 10_000 },
    { alert: 'SiteServerDown', state: 'firing', from: 3000, to: 5000 },
  ]);
});

import { describe, expect, test } from 'vitest';
import { GROWTH } from '../../../dashboards/growth.ts';
import { insightOf, startProject, startProvisioned } from './provision-command.ts';

const KEYS = GROWTH.insights.map(({ key }) => key);

describe('an empty project', () => {
  test('gets the dashboard, each insight in its place and the annotation', async () => {
    const { posthog, provision } = await startProject();
    const { code, out, err } = await provision(['apply']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Done: ${KEYS.length + 2} changes.`);
    const { dashboards, insights, annotations } = posthog.store;
    expect(dashboards.map(({ name }) => name)).toEqual(['Growth']);
    expect(insights.map(({ name, query }) => ({ name, query }))).toEqual(
      GROWTH.insights.map(({ name, query }) => ({ name, query })),
    );
    expect(annotations).toMatchObject([{ scope: 'project', creation_type: 'GIT' }]);
    const tiles = posthog.store.tilesOf(dashboards[0]?.id ?? 0);
    const placeOf = (key: string) =>
      tiles.find(({ insight_id }) => insight_id === insightOf(posthog, key).id)?.layouts;
    for (const { key, place } of GROWTH.insights) expect(placeOf(key)).toEqual({ sm: place });
  });

  test('is not changed by plan, which names everything that apply would make', async () => {
    const { posthog, provision } = await startProject();
    const { code, out } = await provision(['plan']);
    expect(code).toBe(0);
    for (const { name } of GROWTH.insights) expect(out).toContain(`+ insight     ${name}: to be`);
    expect(out).toContain(`${KEYS.length + 2} to make`);
    expect(posthog.writes()).toEqual([]);
  });

  test('gets only requests that PostHog knows: no DELETE, no subscription, a slash at each end', async () => {
    const { posthog, provision } = await startProject();
    await provision(['apply']);
    const { requests, store } = posthog;
    expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(requests.filter(({ path }) => !/\/(\?|$)/.test(path))).toEqual([]);
    expect(requests.filter(({ path }) => path.includes('subscription'))).toEqual([]);
    expect(store.mails).toEqual([]);
  });
});

describe('a second run', () => {
  test('changes nothing', async () => {
    const { posthog, provision } = await startProvisioned();
    const { code, out } = await provision(['apply']);
    expect({ code, writes: posthog.writes() }).toEqual({ code: 0, writes: [] });
    expect(out).toContain('Nothing to do.');
  });

  test('changes nothing if PostHog has added defaults to the queries', async () => {
    const { posthog, provision } = await startProject();
    posthog.store.addsDefaults = true;
    await provision(['apply']);
    posthog.requests.length = 0;
    const { out } = await provision(['apply']);
    expect(posthog.writes()).toEqual([]);
    expect(out).toContain(' 0 changed by hand');
  });

  test('keeps names, places, tags and tiles that people have changed or added', async () => {
    const { posthog, provision } = await startProvisioned();
    const { store } = posthog;
    const insight = insightOf(posthog, 'funnel-by-ref');
    Object.assign(insight, { name: 'Our funnel', tags: [...insight.tags, 'Größe!'] });
    Object.assign(store.dashboards[0] ?? {}, { name: 'Board for Monday', pinned: true });
    const dashboard = store.dashboards[0]?.id ?? 0;
    for (const tile of store.tiles) tile.layouts = { sm: { x: 0, y: 90, w: 12, h: 9 } };
    store.change('dashboards', dashboard, { tiles: [{ text: { body: 'Hello' }, layouts: {} }] });
    store.make('insights', { name: 'Theirs', query: {}, tags: [], dashboards: [dashboard] });
    const { out } = await provision(['apply']);
    expect(posthog.writes()).toEqual([]);
    expect(out).toContain('Funnel by ref (at PostHog: Our funnel): unchanged');
  });
});

describe('what no file names', () => {
  test('stays at apply; prune marks it as deleted, and a dashboard keeps its insights', async () => {
    const { posthog, provision } = await startProvisioned();
    const { store } = posthog;
    store.make('insights', { name: 'Old chart', query: {}, tags: ['site:insight:old'] });
    store.make('dashboards', { name: 'Old board', tags: ['site:dashboard:old'] });
    store.make('annotations', { content: 'Old mark <!-- site:annotation:old -->' });
    const kept = await provision(['apply']);
    expect(kept.out).toMatch(/\? insight +Old chart \(\d+\): no file names it/);
    expect(posthog.writes()).toEqual([]);
    const { out } = await provision(['prune']);
    expect(out).toContain('removed insight "Old chart"');
    const removals = posthog.writes().filter(({ path }) => !path.endsWith('/0/'));
    expect(removals.map(({ method, body }) => ({ method, body }))).toEqual([
      { method: 'PATCH', body: { deleted: true, delete_insights: false } },
      { method: 'PATCH', body: { deleted: true } },
      { method: 'PATCH', body: { deleted: true } },
    ]);
    posthog.requests.length = 0;
    await provision(['prune']);
    expect(posthog.writes()).toEqual([]);
  });

  test('and a deleted insight is made again, because the file names it', async () => {
    const { posthog, provision } = await startProvisioned();
    const old = insightOf(posthog, 'devices');
    old.deleted = true;
    await provision(['apply']);
    expect(insightOf(posthog, 'devices').id).not.toBe(old.id);
    expect(posthog.writes().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('and a deleted dashboard is made again, with the insights that are still there', async () => {
    const { posthog, provision } = await startProvisioned();
    const { store } = posthog;
    Object.assign(store.dashboards[0] ?? {}, { deleted: true });
    const ids = KEYS.map((key) => insightOf(posthog, key).id);
    const { out } = await provision(['apply']);
    expect(out).toContain('made dashboard "Growth"');
    const tiles = store.tilesOf(store.dashboards[1]?.id ?? 0);
    expect(tiles.flatMap(({ insight_id }) => insight_id ?? []).sort()).toEqual(ids.sort());
    expect(store.insights).toHaveLength(ids.length);
    posthog.requests.length = 0;
    await provision(['apply']);
    expect(posthog.writes()).toEqual([]);
  });
});

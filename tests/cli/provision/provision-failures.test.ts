import { describe, expect, test } from 'vitest';
import { GROWTH } from '../../../dashboards/growth.ts';
import { KEY } from '../../helpers/fakes/posthog-api/posthog-api.ts';
import {
  loginPage,
  type Reply,
  throttled,
  unavailable,
} from '../../helpers/fakes/posthog-api/refusals.ts';
import { startProject } from './provision-command.ts';

const POST_INSIGHT = { method: 'POST', path: /insights\/$/ };

describe('the settings', () => {
  test('that are missing are named all at once', async () => {
    const { provision } = await startProject();
    const empty = { POSTHOG_APP_HOST: '', POSTHOG_PROJECT_ID: '', POSTHOG_PERSONAL_KEY: '' };
    const { code, err } = await provision(['plan'], {
      ...empty,
      POSTHOG_HOST: 'https://posthog.example',
    });
    expect(code).toBe(1);
    for (const name of Object.keys(empty)) expect(err).toContain(name);
  });

  test.each([
    [[], 'Name a command'],
    [['destroy'], 'There is no command "destroy"'],
    [['plan', '--force'], '--force belongs to apply'],
    [['plan', 'now'], 'Unexpected argument "now"'],
  ])('and the arguments %j have their message', async (args, message) => {
    const { provision } = await startProject();
    const { code, err } = await provision(args as string[]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test.each([
    ['phc_project-key', 'must be a personal API key (phx_…), not phc_…'],
    ['phx_unknown', 'rejects the key in POSTHOG_PERSONAL_KEY, which is a personal API key (phx_…)'],
    ['phs_project-secret', 'which is a project secret key (phs_…)'],
  ])('with the key %s stop the command, which does not print the key', async (key, message) => {
    const { posthog, provision } = await startProject();
    const { code, out, err } = await provision(['apply'], { POSTHOG_PERSONAL_KEY: key });
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(out + err).not.toContain(key);
    expect(posthog.writes()).toEqual([]);
  });

  test('with another project stop the command, which names the project', async () => {
    const { provision } = await startProject();
    const { code, err } = await provision(['plan'], { POSTHOG_PROJECT_ID: '99' });
    expect(code).toBe(1);
    expect(err).toContain('Is POSTHOG_PROJECT_ID 99 right?');
  });
});

test.each([['insight:write'], ['annotation:write']])(
  'a key without %s changes nothing, and the message names the scope',
  async (scope) => {
    const { posthog, provision } = await startProject();
    posthog.keys.set(KEY, posthog.keys.get(KEY)?.filter((it) => it !== scope) ?? []);
    const { code, err } = await provision(['apply']);
    expect(code).toBe(1);
    expect(err).toContain(`lacks the scope ${scope}`);
    expect(err).toContain('Nothing was changed.');
    const { dashboards, insights, annotations } = posthog.store;
    expect([...dashboards, ...insights, ...annotations]).toEqual([]);
  },
);

describe('making an insight', () => {
  /** @returns the names of all insights at PostHog after `apply` */
  async function applyWith(failures: ('lose' | 'drop' | Reply)[]) {
    const { posthog, provision } = await startProject();
    posthog.failures.push(...failures.map((act) => ({ ...POST_INSIGHT, act })));
    const result = await provision(['apply']);
    return { ...result, posthog, provision, names: posthog.store.insights.map((it) => it.name) };
  }
  const ALL = GROWTH.insights.map(({ name }) => name);

  test('whose answer is lost is not repeated: the command finds it by its tag and goes on', async () => {
    const { code, names } = await applyWith(['lose']);
    expect({ code, names }).toEqual({ code: 0, names: ALL });
  });

  test('waits as long as PostHog asks', async () => {
    const started = Date.now();
    const { code, names } = await applyWith([throttled(2)]);
    expect({ code, names }).toEqual({ code: 0, names: ALL });
    expect(Date.now() - started).toBeGreaterThanOrEqual(2000);
  });

  test.each([500, 502, 503, 504] as const)(
    'after a %d first looks for it, and then makes one',
    async (status) => {
      const { code, names, posthog } = await applyWith([unavailable(status)]);
      expect({ code, names }).toEqual({ code: 0, names: ALL });
      const calls = posthog.requests.map(({ method, path }) => `${method} ${path}`);
      const first = calls.findIndex((call) => /^POST .*insights/.test(call));
      expect(calls[first + 1]).toMatch(/^GET .*insights/);
    },
  );

  test('is not repeated if no answer came and it is not there; the next run makes it', async () => {
    const { code, err, names, posthog, provision } = await applyWith(['drop']);
    expect({ code, names }).toEqual({ code: 1, names: [] });
    expect(err).toContain('It is unknown whether PostHog did "POST insights/"');
    expect(err).toContain('Made before that: 1, as above.');
    expect((await provision(['apply'])).code).toBe(0);
    expect(posthog.store.insights.map(({ name }) => name)).toEqual(ALL);
    expect(posthog.store.dashboards).toHaveLength(1);
  });

  test('does not take a login page for a success', async () => {
    const { code, err } = await applyWith([loginPage]);
    expect(code).toBe(1);
    expect(err).toContain('It is unknown whether');
  });

  test('stops at a wait of an hour instead of sleeping', async () => {
    const { code, err } = await applyWith([throttled(3600)]);
    expect(code).toBe(1);
    expect(err).toContain('PostHog asks to wait 3600 s');
  });
});

test('a change is repeated after a 502', async () => {
  const { posthog, provision } = await startProject();
  const act = unavailable(502);
  const layout = { method: 'PATCH', path: /dashboards\/[1-9]\d*\/$/, act };
  posthog.failures.push(layout, layout);
  const { code } = await provision(['apply']);
  expect(code).toBe(0);
  const tiles = posthog.store.tilesOf(posthog.store.dashboards[0]?.id ?? 0);
  expect(tiles.filter(({ layouts }) => 'sm' in layouts)).toHaveLength(GROWTH.insights.length);
});

test.each([
  ['a login page', loginPage, 'did not answer as PostHog does'],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://elsewhere.invalid/' } },
    'did not answer',
  ],
  ['an HTML error', { status: 418, body: '<html></html>' }, 'did not answer as PostHog does'],
])('%s instead of a list is no empty project', async (_what, act, message) => {
  const { posthog, provision } = await startProject();
  posthog.failures.push({ method: 'GET', path: /insights/, act });
  const { code, err } = await provision(['apply']);
  expect(code).toBe(1);
  expect(err).toContain(message);
  expect(posthog.writes()).toEqual([]);
});

test('a PostHog that cannot be reached is named', async () => {
  const { posthog, provision } = await startProject();
  await posthog.close();
  const { code, err } = await provision(['plan']);
  expect(code).toBe(1);
  expect(err).toContain(`PostHog at ${posthog.url} cannot be reached`);
});

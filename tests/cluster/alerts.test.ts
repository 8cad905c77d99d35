/** The alerts of deploy/prometheus, with the real Prometheus and Alertmanager. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { findAmtool, findPromtool, startAlerting } from '../helpers/cluster/prometheus.ts';
import {
  DEPLOYED,
  dashboardExpressions,
  readYaml,
  shippedRules,
} from '../helpers/server/alert-files.ts';
import { freePort, startLocalServer } from '../helpers/server/local-server.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { startServer } from '../helpers/server/server-process.ts';

const run = (program: string | null, ...args: string[]) =>
  execFileSync(program ?? '', args, { cwd: DEPLOYED, encoding: 'utf8', stdio: 'pipe' });

test('Prometheus and Alertmanager accept the shipped files, and the rules pass their tests', () => {
  expect(run(findPromtool(), 'check', 'config', 'prometheus.yml')).toContain(
    `${shippedRules().length} rules found`,
  );
  run(findPromtool(), 'test', 'rules', 'site.rules.test.yml');
  run(findAmtool(), 'check-config', 'alertmanager.yml');
  const receiverOf = (severity: string) =>
    run(
      findAmtool(),
      ...['config', 'routes', 'test', '--config.file=alertmanager.yml', `severity=${severity}`],
    ).trim();
  expect(['critical', 'warning'].map(receiverOf)).toEqual(['pager', 'mail']);
});

/** Runs the cases of one alert against its rule with another expression. @returns whether they fail */
function isNoticed(alert: string, expr: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const rules = readYaml('site.rules.yml');
  const rule = rules.groups[0].rules.find((each: { alert: string }) => each.alert === alert);
  rules.groups[0].rules = [{ ...rule, expr }];
  writeFileSync(join(folder, 'site.rules.yml'), stringify(rules));
  const cases = readYaml('site.rules.test.yml');
  cases.tests = cases.tests.filter(({ name }: { name: string }) => name.startsWith(`${alert} `));
  writeFileSync(join(folder, 'test.yml'), stringify(cases));
  const { status } = spawnSync(findPromtool() ?? '', ['test', 'rules', join(folder, 'test.yml')]);
  return status !== 0;
}

test.each(shippedRules().map(({ alert, expr }) => [alert, expr]))(
  'the cases of %s notice a rule that never fires, and one that always does',
  (alert, expr) => {
    expect(isNoticed(alert, `(${expr}) and on () vector(1) > 1`)).toBe(true);
    expect(isNoticed(alert, 'vector(1)')).toBe(true);
  },
);

interface Alert {
  status: 'firing' | 'resolved';
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/** Receives Alertmanager's webhooks. */
async function startPager() {
  const received: Alert[] = [];
  const { port, close } = await startLocalServer(async (request, answer) => {
    received.push(...JSON.parse((await Array.fromAsync(request)).join('')).alerts);
    answer.end();
  });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}/`, alerts: () => received };
}

const alertWith = ({
  status,
  labels,
  annotations = {},
}: Omit<Alert, 'annotations'> & Partial<Alert>) =>
  expect.objectContaining({
    status,
    labels: expect.objectContaining(labels),
    annotations: expect.objectContaining(annotations),
  });

test('a full disk calls the operator with a link to the runbook, and the operator hears when it is over; Prometheus takes each expression', async () => {
  const metricsPort = await freePort();
  const env = { METRICS_PORT: String(metricsPort) };
  const full = await startServer({ env: { ...env, MIN_FREE_MB: '10000000' } });
  const pager = await startPager();
  const { url } = await startAlerting({ metricsPort, pagerUrl: pager.url });
  const click = await fetch(`${full.url}/api/log-cta`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(makeBody()),
  });
  expect(click.status).toBe(503);
  const labels = { alertname: 'SiteDiskFull', instance: 'site@3001', severity: 'critical' };
  const annotations = {
    summary: 'The disk of site@3001 is full',
    runbook_url: expect.stringMatching(/^https:\/\/.*\/docs\/operations\.md#sitediskfull$/),
  };
  await expect
    .poll(pager.alerts)
    .toContainEqual(alertWith({ status: 'firing', labels, annotations }));
  await full.stop('SIGTERM');
  await startServer({ dataDir: full.dataDir, env: { ...env, MIN_FREE_MB: '1' } });
  await expect.poll(pager.alerts).toContainEqual(alertWith({ status: 'resolved', labels }));

  const { rules } = (await ask(url, '/api/v1/rules')).data.groups[0];
  const faults = rules.filter(({ health }: { health: string }) => health !== 'ok');
  expect({ rules: rules.length, faults }).toEqual({ rules: shippedRules().length, faults: [] });
  for (const expr of dashboardExpressions()) {
    const { status } = await ask(url, `/api/v1/query?query=${encodeURIComponent(expr)}`);
    expect(status, expr).toBe('success');
  }
});

const ask = async (url: string, path: string) => (await fetch(url + path)).json();

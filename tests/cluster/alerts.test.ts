/** The alerts of deploy/prometheus, checked by Prometheus’ and Alertmanager’s own programs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { findAmtool, findPromtool } from '../helpers/cluster/prometheus.ts';
import { DEPLOYED, readYaml, shippedRules } from '../helpers/server/alert-files.ts';

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

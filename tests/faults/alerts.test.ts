/** The alerts of deploy/prometheus, checked by Prometheus’ own program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { findPromtool } from '../helpers/cluster/prometheus.ts';
import { DEPLOYED, readYaml, shippedRules } from '../helpers/server/alert-files.ts';

const run = (program: string | null, ...args: string[]) =>
  execFileSync(program ?? '', args, { cwd: DEPLOYED, encoding: 'utf8', stdio: 'pipe' });

test('Prometheus accepts the rules, and they pass their tests', () => {
  expect(run(findPromtool(), 'check', 'rules', 'site.rules.yml')).toContain(
    `${shippedRules().length} rules found`,
  );
  run(findPromtool(), 'test', 'rules', 'site.rules.test.yml');
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

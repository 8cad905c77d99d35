/** Prometheus with the shipped rules, which watches the servers during the night. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { endDaemon, makeDaemonDir, spawnDaemon } from '../../tests/helpers/cluster/daemon.ts';
import { findPrometheus } from '../../tests/helpers/cluster/prometheus.ts';
import { readYaml } from '../../tests/helpers/server/alert-files.ts';
import { freePort } from '../../tests/helpers/server/local-server.ts';
import { spansOf } from './alert-spans.ts';

/** A disaster lasts less than a minute, so Prometheus' waiting times are divided by this number. */
export const FASTER = 15;
const SCRAPE_S = 1;
/** Waiting times of rules: `for: 10m`, and ranges such as `[2m]`. */
const DURATION = /^(\d+)([smhd])$/;
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

export interface AlertSpan {
  alert: string;
  /** `pending`: the condition holds, not yet for long enough. */
  state: 'pending' | 'firing';
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

export interface Alerting {
  /** The alerts of this time, also those that were only pending. */
  between(from: number, to: number): Promise<AlertSpan[]>;
  remove(): Promise<void>;
}

/**
 * Resolves when Prometheus listens; null: it is not installed.
 *
 * @param targets ports of the metrics by the names of the servers
 */
export async function startAlerting(targets: Record<string, number>): Promise<Alerting | null> {
  const program = findPrometheus();
  if (!program) return null;
  const folder = makeDaemonDir('prometheus');
  const port = await freePort();
  const file = (name: string) => join(folder.path, name);
  writeFileSync(file('site.rules.yml'), stringify(quickRules()), { mode: 0o644 });
  writeFileSync(file('prometheus.yml'), stringify(quickScrapes(targets)), { mode: 0o644 });
  const child = spawnDaemon(program, [
    `--config.file=${file('prometheus.yml')}`,
    `--storage.tsdb.path=${file('data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/-/ready`).catch(() => null))?.ok) await wait(50);
  return {
    async between(from, to) {
      const range = `start=${from / 1000}&end=${to / 1000}&step=${SCRAPE_S}`;
      const answer = await fetch(`${url}/api/v1/query_range?query=ALERTS&${range}`);
      if (!answer.ok) throw new Error(`Prometheus: ${answer.status} ${await answer.text()}`);
      const { data } = (await answer.json()) as { data: { result: [] } };
      return spansOf(data.result, SCRAPE_S);
    },
    async remove() {
      await endDaemon(child, 'SIGKILL');
      folder.remove();
    },
  };
}

/** The shipped rules with shorter waiting times. */
function quickRules() {
  const rules = readYaml('site.rules.yml');
  for (const rule of rules.groups[0].rules) {
    if (rule.for) rule.for = shorter(rule.for);
    rule.expr = rule.expr.replace(
      /\[(\w+)\]/g,
      (_: string, range: string) => `[${shorter(range)}]`,
    );
  }
  return rules;
}

function shorter(duration: string): string {
  const [, n, unit] = DURATION.exec(duration) ?? [];
  if (!n || !unit) throw new Error(`"${duration}" is not a duration`);
  const seconds = (Number(n) * SECONDS[unit as keyof typeof SECONDS]) / FASTER;
  return `${Math.max(2 * SCRAPE_S, Math.round(seconds))}s`;
}

function quickScrapes(targets: Record<string, number>) {
  const interval = `${SCRAPE_S}s`;
  return {
    global: {
      scrape_interval: interval,
      scrape_timeout: interval,
      evaluation_interval: interval,
    },
    rule_files: ['site.rules.yml'],
    scrape_configs: [
      {
        job_name: 'site',
        static_configs: Object.entries(targets).map(([instance, port]) => ({
          targets: [`127.0.0.1:${port}`],
          labels: { instance },
        })),
      },
    ],
  };
}

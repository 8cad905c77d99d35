/** Starts Prometheus and Alertmanager with the files of deploy/prometheus. The test replaces only addresses and waiting times. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { readYaml } from '../server/alert-files.ts';
import { freePort } from '../server/local-server.ts';
import { endDaemon, findProgram, makeDaemonDir, spawnDaemon } from './daemon.ts';

const findPrometheus = () => findProgram('/usr/bin/prometheus', '/usr/local/bin/prometheus');
const findAlertmanager = () =>
  findProgram('/usr/bin/prometheus-alertmanager', '/usr/local/bin/alertmanager');
export const findPromtool = () => findProgram('/usr/bin/promtool', '/usr/local/bin/promtool');
export const findAmtool = () => findProgram('/usr/bin/amtool', '/usr/local/bin/amtool');
/** Whether all four programs are installed. */
export const hasPrometheus = () =>
  Boolean(findPrometheus() && findAlertmanager() && findPromtool() && findAmtool());

interface Options {
  metricsPort: number;
  /** Gets Alertmanager's webhooks. */
  pagerUrl: string;
}

/** Resolves when both listen. They end with the test. */
export async function startAlerting({ metricsPort, pagerUrl }: Options) {
  const folder = makeDaemonDir('prometheus');
  const [port, alertPort] = [await freePort(), await freePort()];
  const file = (name: string, content: unknown) => {
    writeFileSync(join(folder.path, name), stringify(content), { mode: 0o644 });
    return join(folder.path, name);
  };
  file('site.rules.yml', quickRules());
  const children = [
    spawnDaemon(findPrometheus() ?? '', [
      `--config.file=${file('prometheus.yml', quickScrapes(metricsPort, alertPort))}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]),
    spawnDaemon(findAlertmanager() ?? '', [
      `--config.file=${file('alertmanager.yml', quickAlerts(pagerUrl))}`,
      `--storage.path=${join(folder.path, 'alerts')}`,
      `--web.listen-address=127.0.0.1:${alertPort}`,
      '--cluster.listen-address=',
    ]),
  ];
  onTestFinished(async () => {
    await Promise.all(children.map((child) => endDaemon(child, 'SIGKILL')));
    folder.remove();
  });
  const url = `http://127.0.0.1:${port}`;
  await Promise.all([untilReady(url), untilReady(`http://127.0.0.1:${alertPort}`)]);
  return { url };
}

/** Each alert fires at once. */
function quickRules() {
  const rules = readYaml('site.rules.yml');
  for (const rule of rules.groups[0].rules) delete rule.for;
  return rules;
}

function quickScrapes(metricsPort: number, alertPort: number) {
  const config = readYaml('prometheus.yml');
  config.global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
  config.alerting.alertmanagers[0].static_configs[0].targets = [`127.0.0.1:${alertPort}`];
  const site = config.scrape_configs.find((job: { job_name: string }) => job.job_name === 'site');
  site.static_configs = [{ ...site.static_configs[0], targets: [`127.0.0.1:${metricsPort}`] }];
  config.scrape_configs = [site];
  return config;
}

function quickAlerts(pagerUrl: string) {
  const config = readYaml('alertmanager.yml');
  Object.assign(config.route, { group_wait: '0s', group_interval: '1s' });
  config.receivers.find(({ name }: { name: string }) => name === 'pager').webhook_configs[0].url =
    pagerUrl;
  return config;
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/-/ready`).catch(() => null))?.ok) await wait(50);
}

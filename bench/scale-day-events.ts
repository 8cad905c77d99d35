/** The events of a day, each at its hour, while visitors click. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeRotation } from '../tests/helpers/cluster/logrotate.ts';
import type { Segment } from './scale-day-plan.ts';
import { ledgerIds } from './scale-ledgers.ts';
import type { Stage } from './scale-stage.ts';
import type { Visitors } from './scale-visitors.ts';

const run = promisify(execFile);
const NODE_AWAY_MS = 4_000;

export interface Happened {
  name: string;
  hour: string;
  /** Seconds. */
  took: number;
  result: string;
}

type Event = (stage: Stage, visitors: Visitors) => Promise<string>;

/** By hour in UTC. */
const EVENTS: Record<string, { name: string; play: Event }> = {
  '10:00': { name: 'rolling restart of the three servers', play: restartServers },
  '15:00': { name: 'the leader of the NATS nodes is killed, and restarts', play: killLeader },
  '00:00': {
    name: 'end of the day and of the month; logrotate with the shipped settings',
    play: rotate,
  },
  '03:00': { name: '`npm run backup` of three data folders', play: backUp },
};

export function startEvents(stage: Stage, visitors: Visitors) {
  const underWay: Promise<Happened>[] = [];
  return {
    begin({ name: hour }: Segment): void {
      const event = EVENTS[hour];
      if (!event) return;
      const playing = play(hour, event);
      // `finished` throws it.
      playing.catch(() => {});
      underWay.push(playing);
    },
    /** @throws (rejects) with the error of an event that failed */
    finished: () => Promise.all(underWay),
  };

  async function play(hour: string, event: { name: string; play: Event }): Promise<Happened> {
    const began = performance.now();
    const result = await event.play(stage, visitors);
    return { name: event.name, hour, took: (performance.now() - began) / 1000, result };
  }
}

async function restartServers({ servers }: Stage): Promise<string> {
  for (const server of servers) {
    await server.stop('SIGTERM');
    await server.start();
  }
  return `${servers.length} servers`;
}

async function killLeader({ nats }: Stage): Promise<string> {
  const leader = await nats?.leader();
  await leader?.kill();
  await wait(NODE_AWAY_MS);
  leader?.restart();
  return `away for ${NODE_AWAY_MS / 1000} s`;
}

async function rotate({ servers, folder }: Stage): Promise<string> {
  makeRotation({
    folder: join(folder, 'data'),
    pids: () => servers.map((server) => server.pid()),
  })();
  return `${servers.length} ledgers`;
}

/** The backup must have every click that was confirmed when it began. */
async function backUp({ servers, settings, folder }: Stage, visitors: Visitors): Promise<string> {
  const confirmed = [...visitors.confirmed];
  const to = join(folder, 'backup');
  const folders = servers.map(({ dataDir }) => dataDir).join(',');
  const env = { ...process.env, ...settings, REPORT_LEDGERS: folders };
  await run(process.execPath, ['cli/backup.ts', '--to', to], { env });
  const ledgers = readdirSync(to).map((name) => join(to, name, 'clicks.jsonl'));
  const there = new Set(await ledgerIds(ledgers));
  const missing = confirmed.filter((id) => !there.has(id)).length;
  if (missing > 0) throw new Error(`The backup in ${dirname(to)} lacks ${missing} clicks`);
  return `${there.size.toLocaleString('en')} clicks, 0 of the confirmed ones are missing`;
}

/** The rows of `bench:scale`: each one starts all its parts, loads them, and checks that every confirmed click is stored once. */

import { describeCeilings, tableOf } from './scale-report.ts';
import { measureRow, type RowFigures } from './scale-row.ts';
import type { StageOptions } from './scale-stage.ts';

interface Options {
  seconds: number;
  rounds: number;
  /** Of the rows' names. */
  rows: RegExp;
}

const DIRECT = { servers: 1, ack: null, hasNginx: false } as const;
const ROWS: Record<string, StageOptions> = {
  'one server, SQLite': { ...DIRECT, isShared: false },
  'one server, PostgreSQL and Redis': DIRECT,
  '1 behind nginx, no stream': { servers: 1, ack: null },
  '1 behind nginx, ACK=disk': { servers: 1, ack: 'disk' },
  '1 behind nginx, ACK=replicated': { servers: 1, ack: 'replicated' },
  '3 behind nginx, no stream': { servers: 3, ack: null },
  '3 behind nginx, ACK=disk': { servers: 3, ack: 'disk' },
  '3 behind nginx, ACK=replicated': { servers: 3, ack: 'replicated' },
  '6 behind nginx, no stream': { servers: 6, ack: null },
  '6 behind nginx, ACK=disk': { servers: 6, ack: 'disk' },
  '6 behind nginx, ACK=replicated': { servers: 6, ack: 'replicated' },
};

/** @returns number of clicks that were lost or stored twice */
export async function measureRows(
  { seconds, rounds, rows }: Options,
  say: (text: string) => void,
): Promise<number> {
  const measured = new Map<string, RowFigures[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, stage] of Object.entries(ROWS)) {
      if (!rows.test(name)) continue;
      const figures = await measureRow(stage, seconds);
      measured.set(name, [...(measured.get(name) ?? []), figures]);
      process.stderr.write(`${name}: ${figures.perSecond.toFixed(0)} clicks/s\n`);
    }
  }
  say(tableOf(measured));
  say(describeCeilings(measured, ROWS));
  const all = [...measured.values()].flat();
  return all.reduce((sum, { lost, twice }) => sum + lost + twice, 0);
}

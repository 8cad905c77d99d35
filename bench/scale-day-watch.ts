/** Samples memory and the stream's delay every second. */
import { setTimeout as wait } from 'node:timers/promises';
import { sampleMemory } from './scale-measures.ts';
import type { Stage } from './scale-stage.ts';
import type { Visitors } from './scale-visitors.ts';

const SAMPLE_MS = 1000;

export interface Worst {
  /** The largest number of confirmed clicks that the stream had not got. */
  behind: number;
  /** Megabytes of all servers, and of all nodes. */
  serversMb: number;
  natsMb: number;
}

const NOTHING: Worst = { behind: 0, serversMb: 0, natsMb: 0 };

export function watchDay({ stream }: Stage, { confirmed }: Visitors) {
  let worst = NOTHING;
  let running = true;
  const sample = async () => {
    const before = confirmed.size;
    const lines = await stream?.lines();
    const memory = sampleMemory();
    worst = {
      behind: Math.max(worst.behind, lines == null ? 0 : before - lines),
      serversMb: Math.max(worst.serversMb, memory.get('servers') ?? 0),
      natsMb: Math.max(worst.natsMb, memory.get('NATS') ?? 0),
    };
  };
  const watching = (async () => {
    for (; running; await wait(SAMPLE_MS)) await sample();
  })();
  return {
    /** Forgets the samples, because another hour begins. */
    next() {
      worst = NOTHING;
    },
    worst: () => worst,
    async stop() {
      running = false;
      await watching;
    },
  };
}

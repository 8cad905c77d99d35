/** The disasters, each with what happens and what repairs it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillDisk } from '../../tests/helpers/run/fill-disk.ts';
import type { SiteServer } from '../layout/site-server.ts';
import type { Layout } from '../layout/start-layout.ts';

export interface Disaster {
  /** Words for the picture, in two lines. */
  label: [string, string];
  /** Sentence for the results. */
  what: string;
  /** @throws where this machine cannot play it */
  strike(layout: Layout): Promise<void>;
  repair(layout: Layout): Promise<void>;
  /** Why this machine cannot play it; null: it can. */
  obstacle?(layout: Layout): string | null;
}

const serverOf = ({ servers }: Layout, i: number) => servers[i] as SiteServer;

const JUMP_DAYS = 30;

export const DISASTERS = {
  server: {
    label: ['a server', 'killed'],
    what: 'SIGKILL to one of the three servers, then a start',
    strike: (layout) => serverOf(layout, 0).stop('SIGKILL'),
    repair: (layout) => serverOf(layout, 0).start(),
  },
  servers: {
    label: ['all servers', 'killed'],
    what: 'SIGKILL to all three servers at once, then a start',
    strike: async ({ servers }) => {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    },
    repair: async ({ servers }) => {
      await Promise.all(servers.map((server) => server.start()));
    },
  },
  redis: {
    label: ['Redis', 'killed'],
    what: 'SIGKILL to Redis, then a start',
    strike: ({ redis }) => redis.kill(),
    repair: ({ redis }) => redis.restart(),
  },
  postgres: {
    label: ['PostgreSQL', 'killed'],
    what: 'SIGKILL to PostgreSQL, then a start',
    strike: ({ postgres }) => postgres.kill(),
    repair: ({ postgres }) => postgres.restart(),
  },
  disk: {
    label: ['disk', 'full'],
    what: 'the disk of all ledgers filled to the last byte, then freed',
    obstacle: ({ folders }) =>
      folders.hasOwnDisk ? null : 'only root can mount a small disk of its own',
    strike: async ({ folders }) => fillDisk(join(folders.data, 'filler')),
    repair: async ({ folders }) => rmSync(join(folders.data, 'filler')),
  },
  posthog: {
    label: ['PostHog', 'away'],
    what: 'every connection to PostHog cut',
    strike: async ({ posthog }) => {
      posthog.world.isDown = true;
    },
    repair: async ({ posthog }) => {
      posthog.world.isDown = false;
    },
  },
  quota: {
    label: ['PostHog', 'over quota'],
    what: 'PostHog refuses events with 402 billing_limit_exceeded',
    strike: async ({ posthog }) => {
      posthog.world.isOverQuota = true;
    },
    repair: async ({ posthog }) => {
      posthog.world.isOverQuota = false;
    },
  },
  smtp: {
    label: ['SMTP', 'away'],
    what: 'the SMTP server refuses connections',
    strike: ({ mailbox }) => mailbox.goAway(),
    repair: ({ mailbox }) => mailbox.comeBack(),
  },
  clock: {
    label: ['clock', `+${JUMP_DAYS} days`],
    what: `the wall clock of one server set ${JUMP_DAYS} days ahead, then back`,
    obstacle: (layout) =>
      serverOf(layout, 2).moveClock ? null : 'libfaketime is missing (apt-get install libfaketime)',
    strike: async (layout) => serverOf(layout, 2).moveClock?.(JUMP_DAYS),
    repair: async (layout) => serverOf(layout, 2).moveClock?.(0),
  },
  restart: {
    label: ['rolling', 'restart'],
    what: 'SIGTERM and a start, one server after the other',
    strike: async ({ servers }) => {
      for (const server of servers) {
        await server.stop('SIGTERM');
        await server.start();
      }
    },
    repair: async () => {},
  },
} satisfies Record<string, Disaster>;

export type DisasterName = keyof typeof DISASTERS;

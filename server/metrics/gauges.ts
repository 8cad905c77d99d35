/** Figures that are read when Prometheus asks: databases, disk and positions. */
import { statfs } from 'node:fs/promises';
import type { LedgerChanges } from '../clicks/ledger/ledger-changes.ts';
import type { Overload } from '../clicks/overload.ts';
import type { Recorder } from '../clicks/record-clicks.ts';
import type { Config } from '../config.ts';
import type { OpenPosthog } from '../posthog/open-posthog.ts';
import type { OpenRegistrations } from '../registrations/open-registrations.ts';
import { type ServiceParts, serviceGauges } from './service-gauges.ts';

export interface GaugeSource {
  name: string;
  help: string;
  /** True: the figure only grows. */
  isCounter?: boolean;
  /** Returns null if there is no figure now. May reject, which means the same. */
  read(): number | null | Promise<number | null>;
}

export interface GaugeParts extends ServiceParts {
  config: Pick<Config, 'dataDir' | 'minFreeBytes'> & ServiceParts['config'];
  recorder: Pick<Recorder, 'isCatchingUp' | 'fault' | 'oldestWaitMs'>;
  /** Bytes of the ledger that the index lacks. */
  indexLag(): number;
  ledgerChanges: Pick<LedgerChanges, 'warning' | 'count'>;
  overload: Pick<Overload, 'warning' | 'refused'>;
  registrations: Pick<OpenRegistrations, 'mailBacklog'>;
  posthog: Pick<OpenPosthog, 'receipts' | 'state' | 'lagMs'> | null;
}

export const gaugeSources = (parts: GaugeParts): GaugeSource[] => [
  ...clickGauges(parts),
  ...ledgerGauges(parts),
  ...serviceGauges(parts),
  ...overloadGauges(parts),
  ...mailGauges(parts),
  ...(parts.posthog ? posthogGauges(parts.posthog) : []),
];

function clickGauges({ config, recorder, indexLag }: GaugeParts): GaugeSource[] {
  return [
    {
      name: 'site_index_catching_up',
      help: '1 while the index reads the ledger and clicks are answered with 503',
      read: () => Number(recorder.isCatchingUp()),
    },
    {
      name: 'site_index_lag_bytes',
      help: 'Bytes of the ledger that the index lacks',
      read: indexLag,
    },
    {
      name: 'site_data_free_bytes',
      help: 'Free bytes on the disk of DATA_DIR',
      read: async () => {
        const { bavail, bsize } = await statfs(config.dataDir);
        return bavail * bsize;
      },
    },
    {
      name: 'site_data_min_free_bytes',
      help: 'MIN_FREE_MB in bytes: below it, clicks are answered with 503',
      read: () => config.minFreeBytes,
    },
  ];
}

function ledgerGauges({ ledgerChanges }: GaugeParts): GaugeSource[] {
  return [
    {
      name: 'site_ledger_changes_total',
      help: 'Changes that other programs made to the ledger, before the start or since',
      isCounter: true,
      read: ledgerChanges.count,
    },
    {
      name: 'site_ledger_incomplete',
      help: '1 while the ledger lacks lines that another program removed, until clicks verify finds no difference',
      read: () => Number(ledgerChanges.warning() !== null),
    },
  ];
}

function overloadGauges({ overload, recorder }: GaugeParts): GaugeSource[] {
  return [
    {
      name: 'site_overloaded',
      help: '1 from the first request that was refused because of overload to the end of the overload',
      read: () => Number(overload.warning() !== null),
    },
    {
      name: 'site_overload_refused_total',
      help: 'Clicks, and requests with events for PostHog, that were answered with 503 because of overload',
      isCounter: true,
      read: overload.refused,
    },
    {
      name: 'site_click_oldest_wait_seconds',
      help: 'How long the oldest click has waited for the disk and the index; 0: none waits',
      read: () => recorder.oldestWaitMs() / 1000,
    },
  ];
}

function mailGauges({ registrations }: GaugeParts): GaugeSource[] {
  const backlog = shared(registrations.mailBacklog);
  return [
    {
      name: 'site_mails_waiting',
      help: 'Mails after registrations that have not been sent. Servers that share a database report the same',
      read: async () => (await backlog()).waiting,
    },
    {
      name: 'site_mails_oldest_age_seconds',
      help: 'Time since the registration of the oldest waiting mail; 0 if none waits',
      read: async () => ageS((await backlog()).oldest),
    },
    {
      name: 'site_mails_refused',
      help: 'Mails that the SMTP server has refused for good',
      read: async () => (await backlog()).refused,
    },
  ];
}

function posthogGauges({ receipts, state, lagMs }: NonNullable<GaugeParts['posthog']>) {
  const size = shared(() => receipts.waitingSize());
  return [
    {
      name: 'site_posthog_failing',
      help: '1 while PostHog does not take events',
      read: () => Number(state.isFailing()),
    },
    {
      name: 'site_posthog_waiting_events',
      help: 'Events that wait in the database for PostHog',
      read: async () => (await size()).events,
    },
    {
      name: 'site_posthog_waiting_bytes',
      help: 'Bytes of the events that wait for PostHog',
      read: async () => (await size()).bytes,
    },
    {
      name: 'site_posthog_forwarder_lag_seconds',
      help: 'Age of the oldest click that the forwarder has not dealt with; about POSTHOG_FORWARD_AFTER_S is normal',
      read: async () => (await lagMs()) / 1000,
    },
  ];
}

const ageS = (time: Date | null) => (time ? Math.max(0, Date.now() - time.getTime()) / 1000 : 0);

/** Time for which gauges of one scrape share an answer of a database. */
const SHARED_MS = 500;

function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > SHARED_MS) last = { at: now, answer: read() };
    return last.answer;
  };
}

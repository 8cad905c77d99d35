/** GET /api/stats: number of clicks per call to action, in total and per day, as of the last full period. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { CTA_EVENTS, type CtaEvent } from '#contract/cta.ts';
import { STATS_DAYS, type Stats, statsSchema } from '#contract/stats.schema.ts';
import type { ClickCounts, ClickIndex, EventCounts } from '../clicks/index/click-index.ts';
import type { Config } from '../config.ts';
import { unavailable } from '../http/http-error.ts';
import { perMinute } from '../http/rate-limit/rate-limit.ts';
import type { Registrations } from '../registrations/registrations.ts';
import { publishCounts } from './published-counts.ts';

interface Options {
  config: Config;
  clickIndex: ClickIndex;
  registrations: Registrations;
}

const RETRY_AFTER_S = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
const NONE: EventCounts = new Map();

export async function stats(app: FastifyInstance, options: Options): Promise<void> {
  const { config, clickIndex, registrations } = options;
  const published = publishCounts({
    readCounts: () => clickIndex.counts(),
    file: config.files.publishedCounts,
    periodMs: config.statsPeriodMs,
  });
  app.addHook('onClose', async () => published.stop());
  app.withTypeProvider<ZodTypeProvider>().get(
    '/api/stats',
    {
      config: { rateLimit: perMinute(config.rateLimit.other) },
      schema: { response: { 200: statsSchema } },
      onSend: answerUnchanged,
    },
    async (_request, reply) => {
      // Browsers may cache it and revalidate: most polls get a 304.
      reply.header('cache-control', 'no-cache');
      const [clicks, total] = await Promise.all([
        published.counts(),
        registrations.shownTotal(new Date()),
      ]).catch(throwUnavailable);
      return { clicks: describeClicks(clicks), registrations: { total } };
    },
  );
}

function throwUnavailable(cause: unknown): never {
  throw unavailable('The statistics cannot be read just now.', RETRY_AFTER_S, cause);
}

function describeClicks({ total, perDay }: ClickCounts): Stats['clicks'] {
  const days = lastDays(Date.now());
  return {
    ...describeCounts(total),
    per_day: days.map((day) => ({ day, ...describeCounts(perDay.get(day) ?? NONE) })),
  };
}

/** Counts per event. Events that are no longer on the list still count in the total. */
function describeCounts(counts: EventCounts) {
  const byEvent = CTA_EVENTS.map((event) => [event, counts.get(event) ?? 0]);
  return {
    total: [...counts.values()].reduce((sum, n) => sum + n, 0),
    by_event: Object.fromEntries(byEvent) as Record<CtaEvent, number>,
  };
}

/** @returns UTC dates, the oldest first, today the last */
function lastDays(now: number): string[] {
  return Array.from({ length: STATS_DAYS }, (_, i) =>
    new Date(now - (STATS_DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A hook that answers 304 to a client that has the same answer already. */
const answerUnchanged: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode !== 200) return done(null, payload);
  const tag = `"${createHash('sha1').update(String(payload)).digest('base64url')}"`;
  reply.header('etag', tag);
  if (!namesTag(request.headers['if-none-match'], tag)) return done(null, payload);
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  done(null, null);
};

/** `W/"a", "b"` matches "a" and "b", because a proxy that compresses makes the tag weak. */
function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

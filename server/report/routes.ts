/** GET /report and /report.csv: the report for those who know ADMIN_PASSWORD. Without that setting there are no such pages. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Database, makeQueue } from '../database/database.ts';
import { unavailable } from '../http/http-error.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { Settings } from '../settings.ts';
import { printCsv } from './print-csv.ts';
import { printHtml, REPORT_STYLE } from './print-html.ts';
import { readQuestion } from './question.ts';
import { MOST_MS, readReport } from './read-report.ts';

interface Options {
  config: Settings;
  site: BuiltSite;
  db: Database;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

/** Requests a minute and address: passwords cannot be guessed. */
const LIMIT = 60;
/** Reports are read one after the other. */
const MOST_WAITING = 4;
const RETRY_AFTER_S = 30;
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': [
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(REPORT_STYLE).digest('base64')}'`,
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

export async function report(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, db, now = Date.now } = options;
  if (config.adminPassword === null) return;
  const inTurn = makeQueue();
  let waiting = 0;
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const source = { settings: config, db, site, signal: stopping.signal };
  const read = async (request: FastifyRequest) => {
    const question = readQuestion(Object(request.query), site.timeZone, now());
    // The server would end a silent connection earlier. Requests of `inject` have none.
    if ('setTimeout' in request.socket) request.socket.setTimeout(MOST_WAITING * MOST_MS);
    if (waiting >= MOST_WAITING) throw unavailable('Other reports are being read.', RETRY_AFTER_S);
    waiting += 1;
    return inTurn(() => readReport(source, question))
      .catch((cause) => {
        request.log.error({ err: cause }, 'The report could not be read');
        throw unavailable('The report cannot be read just now.', RETRY_AFTER_S, cause);
      })
      .finally(() => {
        waiting -= 1;
      });
  };
  const route = { config: { rateLimit: perMinute(LIMIT) }, preHandler: app.basicAuth };
  app.get('/report', route, async (request, reply) => {
    const html = printHtml(await read(request), true);
    return reply.headers(HEADERS).type('text/html; charset=utf-8').send(html);
  });
  app.get('/report.csv', route, async (request, reply) => {
    const csv = printCsv(await read(request));
    reply.header('content-disposition', 'attachment; filename="report.csv"');
    return reply.headers(HEADERS).type('text/csv; charset=utf-8').send(csv);
  });
}

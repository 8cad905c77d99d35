/**
 * GET /report, /report.csv and /report/sql: the report for those who know ADMIN_PASSWORD. Without that setting there are no such pages.
 * GET /report/links/CODE and /report/links/CODE/qr: the leaflet and the QR code of a link with a name, also `?language=es`.
 * GET /report/shared/TOKEN: the figures of one clinic, by month, for those who have its link.
 */
import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LANGUAGES } from '#contract/language.ts';
import { type Database, DatabaseFault } from '../database/database.ts';
import { sendError } from '../http/errors.ts';
import { HttpError, readValid, unavailable } from '../http/http-error.ts';
import { perMinute } from '../http/rate-limit.ts';
import { findLink, linkSchema } from '../links/known-links.ts';
import { leafletStyle, printLeaflet, qrCode, urlOf } from '../links/leaflet.ts';
import type { Settings } from '../settings.ts';
import { type FormAnswer, printForms } from './forms.ts';
import { printPage, servedStyle } from './page/print-page.ts';
import { reportForms } from './post-form.ts';
import { printCsv } from './print-csv.ts';
import { FIGURES, printSql } from './print-sql.ts';
import { type Question, readQuestion, readSharedQuestion } from './question.ts';
import { MOST_MS, openReports } from './read-report.ts';
import { findShare } from './shares.ts';

interface Options {
  config: Settings;
  site: BuiltSite;
  /** Folder of the build. */
  distDir: string;
  db: Database;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

/** Requests a minute and address: passwords and tokens cannot be guessed. */
const LIMIT = 60;
/** Reports are read one after the other. */
const MOST_WAITING = 4;
const RETRY_AFTER_S = 30;

/** @param style of the page @param fonts source of its fonts */
function teamHeaders(style: string, fonts = "'self'") {
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    'cache-control': 'no-store',
    'content-security-policy': [
      `default-src 'none'; style-src 'sha256-${hash}'; font-src ${fonts}`,
      `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

export async function report(app: FastifyInstance, options: Options): Promise<void> {
  if (options.config.adminPassword === null) return;
  app.setErrorHandler<FastifyError>(sendSentence);
  const parts = makeParts(app, options);
  pageRoutes(app, parts);
  downloadRoutes(app, parts);
  linkRoutes(app, parts, options.distDir);
  sharedRoute(app, parts);
}

/** People open these addresses, so an error is a sentence for them. */
function sendSentence(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const isOfDatabase = error instanceof DatabaseFault;
  if (isOfDatabase) request.log.error({ err: error }, 'The report could not be read');
  const known = isOfDatabase ? unavailable('Please try again soon.', RETRY_AFTER_S, error) : error;
  const isText = /\btext\/html\b/.test(request.headers.accept ?? '');
  sendError(known, request, reply, undefined, isText || undefined);
}

/** All routes share them. */
type Parts = ReturnType<typeof makeParts>;

function makeParts(app: FastifyInstance, options: Options) {
  const { config, site, distDir, db, now = Date.now } = options;
  const style = servedStyle(distDir);
  const headers = teamHeaders(style);
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const reports = openReports({ settings: config, db, site, signal: stopping.signal });
  let waiting = 0;
  /** @returns a function that gives the place back */
  const takePlace = (request: FastifyRequest) => {
    // The server would end a silent connection earlier. Requests of `inject` have none.
    if ('setTimeout' in request.socket) request.socket.setTimeout(MOST_WAITING * MOST_MS);
    if (waiting >= MOST_WAITING) throw unavailable('Other reports are being read.', RETRY_AFTER_S);
    waiting += 1;
    return () => {
      waiting -= 1;
    };
  };
  return {
    ...{ site, db, now, style },
    route: { config: { rateLimit: perMinute(LIMIT) }, preHandler: app.basicAuth },
    questionOf: (fields: object) => readQuestion({ ...fields }, site.timeZone, now()),
    send: (reply: FastifyReply, type: string, body: unknown) =>
      reply.headers(headers).type(`${type}; charset=utf-8`).send(body),
    async read(request: FastifyRequest, question: Question) {
      const release = takePlace(request);
      try {
        return await reports.read(question, now());
      } catch (cause) {
        if (!stopping.signal.aborted)
          request.log.error({ err: cause }, 'The report could not be read');
        throw unavailable('The report cannot be read just now.', RETRY_AFTER_S, cause);
      } finally {
        release();
      }
    },
    readRows(request: FastifyRequest, question: Question) {
      // Before the process starts, because without a reader it would never end.
      const release = takePlace(request);
      return reports.readRows(question, now()).once('close', release);
    },
  };
}

function pageRoutes(app: FastifyInstance, parts: Parts): void {
  const { db, now, style, route, questionOf, send, read } = parts;
  const { timeZone, siteUrl } = parts.site;
  /** @param answer about a form that was sent */
  const render = async (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: FormAnswer | null = null,
  ) => {
    const report = await read(request, questionOf(Object(request.query)));
    const query = request.url.slice('/report'.length);
    const isNew = report.lastDay === null;
    const facts = { notes: report.notes, isNew, timeZone, now: now(), query, siteUrl, answer };
    const forms = await printForms(db, facts);
    const page = { isServed: true, forms, hasError: answer?.token === null, style };
    return send(reply, 'text/html', printPage(report, page));
  };
  app.get('/report', route, (request, reply) => render(request, reply));
  reportForms(app, { db, now, timeZone, route, render });
}

/** The query and the rows of a table. */
function downloadRoutes(app: FastifyInstance, parts: Parts): void {
  const { db, route, questionOf, send, read, readRows } = parts;
  app.get('/report/sql', route, async (request, reply) => {
    const { by, ...fields } = Object(request.query);
    const figure = readFigure(by, FIGURES) ?? 'total';
    return send(reply, 'text/plain', printSql(figure, questionOf(fields), db.kind));
  });
  app.get('/report.csv', route, async (request, reply) => {
    const { by, ...fields } = Object(request.query);
    const figure = readFigure(by, [...FIGURES, 'rows']);
    const question = questionOf(fields);
    const rows =
      figure === 'rows'
        ? readRows(request, question)
        : printCsv(await read(request, question), figure);
    // Not before, because an error is no file.
    const file = `report-${figure ? `${figure}-` : ''}${question.from}.csv`;
    reply.header('content-disposition', `attachment; filename="${file}"`);
    return send(reply, 'text/csv', rows);
  });
}

const linkRequestSchema = linkSchema
  .pick({ code: true })
  .extend({ language: z.enum(LANGUAGES, 'It must be en or es.').default('en') });

function linkRoutes(app: FastifyInstance, { db, site, route }: Parts, distDir: string): void {
  const style = leafletStyle(distDir);
  const headers = teamHeaders(style, 'data:');
  const find = async ({ params, query }: FastifyRequest) => {
    const fields = { ...Object(query), ...Object(params) };
    const { code, language } = readValid(linkRequestSchema, fields);
    const link = await findLink(db, code);
    if (link) return { site, language, ...link };
    throw new HttpError(404, 'not_found', 'No link with a name has this code. Make it on /report.');
  };
  app.get('/report/links/:code', route, async (request, reply) => {
    const leaflet = printLeaflet(await find(request), style);
    return reply.headers(headers).type('text/html; charset=utf-8').send(leaflet);
  });
  app.get('/report/links/:code/qr', route, async (request, reply) => {
    const svg = qrCode(urlOf(await find(request)));
    return reply.headers(headers).type('image/svg+xml').send(svg);
  });
}

/** For a reader outside the team, without the password. */
function sharedRoute(app: FastifyInstance, parts: Parts): void {
  const { site, db, now, style, route, send, read } = parts;
  const limited = { config: route.config };
  type Route = { Params: { token: string } };
  app.get<Route>('/report/shared/:token', limited, async (request, reply) => {
    const share = await findShare(db, request.params.token, now());
    if (!share) throw new HttpError(404, 'not_found', 'This address is wrong, or has ended.');
    const { month } = Object(request.query);
    const question = readSharedQuestion(month, share.ref, site.timeZone, now());
    const page = { isServed: true, forms: '', hasError: false, style };
    return send(reply, 'text/html', printPage(await read(request, question), page));
  });
}

/** @returns the table that an address asks for; undefined: it names none. @throws HttpError 400 */
function readFigure<T extends string>(by: unknown, known: readonly T[]): T | undefined {
  if (by === undefined) return undefined;
  const found = known.find((name) => name === by);
  if (found) return found;
  throw new HttpError(400, 'validation_failed', `by must be one of ${known.join(', ')}`);
}

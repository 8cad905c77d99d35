/**
 * The routes of the report, for readers who know ADMIN_PASSWORD. Without that setting there are
 * none.
 *
 * - GET /report, /report.csv and /report/sql: the page, its tables as CSV, and their SQL.
 * - POST /report: the forms of the page.
 * - GET /report/links/CODE, and /qr or /qr.png below it: the leaflet and the QR code of a named
 *   link, also with `?language=es`.
 * - GET /report/shared/TOKEN: the last month's figures of one clinic. The token replaces the
 *   password.
 */
import { createHash } from 'node:crypto';
import { finished } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LANGUAGES } from '#contract/language.ts';
import { sendError } from '../http/errors.ts';
import { formFields, readForms } from '../http/forms.ts';
import { HttpError, parseInput, throwUnavailable, unavailable } from '../http/http-error.ts';
import { perMinute } from '../http/rate-limit.ts';
import { refuseForeignOrigin } from '../http/security.ts';
import { findLink, linkSchema } from '../links/known-links.ts';
import { leafletStyle, renderLeaflet } from '../links/leaflet/leaflet.ts';
import { makeQrCodePng, makeQrCodeSvg, shortUrlOf } from '../links/qr-code.ts';
import type { RouteOptions } from '../settings.ts';
import { readOpening } from './causes/read-opening.ts';
import { writeCsv, writeSql } from './downloads/downloads.ts';
import { FIGURES } from './figures/figure-query.ts';
import { MOST_MS, openReports, type ReportSource } from './figures/read-report.ts';
import { renderReport, reportStyle } from './page/render-page.ts';
import { type Question, readQuestion, sharedQuestion } from './question.ts';
import { createReadingPlaces } from './reading-places.ts';
import { type Fields, type FormAnswer, renderForms } from './sharing/forms.ts';
import { findShare } from './sharing/notes-and-shares.ts';
import { saveForm } from './sharing/save-form.ts';

/** Requests a minute from one address. http/operators.ts limits wrong passwords. */
const REQUESTS_PER_MINUTE = 60;
/** Number of reports that are read at the same time. One reader may open five rows in tabs. */
const MOST_READ = 6;
/** Number of requests that may wait for one of these places. */
const MOST_WAITING = 50;
const RETRY_AFTER_S = 30;
const NOT_READ = 'The report cannot be read just now.';

export type ReportOptions = RouteOptions & Pick<ReportSource, 'startReading'>;

/**
 * Makes the function that sends a page or a file with its headers.
 *
 * @param style CSS of the pages. Only its hash is allowed by their content security policy
 */
function makeSend(style: string) {
  const hash = createHash('sha256').update(style).digest('base64');
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': [
      `default-src 'none'; style-src 'sha256-${hash}'; font-src data:`,
      `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
  return (reply: FastifyReply, type: string, body: unknown) => {
    const contentType = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
    return reply.headers(headers).type(contentType).send(body);
  };
}

/** Registers the routes. */
export async function report(app: FastifyInstance, options: ReportOptions): Promise<void> {
  if (options.config.ADMIN_PASSWORD === undefined) return;
  app.setErrorHandler<FastifyError>(sendSentence);
  await readForms(app);
  const parts = makeRouteParts(app, options);
  registerPageRoutes(app, parts);
  registerDownloadRoutes(app, parts);
  registerLinkRoutes(app, parts, options.distDir);
  registerSharedRoute(app, parts);
}

/**
 * Answers an error. A request that accepts HTML gets a sentence as text, because people open these
 * addresses in a browser.
 */
function sendSentence(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const isKnown = error instanceof HttpError || (error.statusCode ?? 500) < 500;
  // A server that stops aborts its reports. That is no fault to log.
  if (!isKnown && error.name !== 'AbortError')
    request.log.error({ err: error }, 'The report could not be read');
  const answer = isKnown ? error : unavailable(NOT_READ, RETRY_AFTER_S, error);
  const isOfBrowser = /\btext\/html\b/.test(request.headers.accept ?? '');
  sendError(answer, request, reply, isOfBrowser ? { isText: true } : {});
}

/** What all routes of the report share. */
export type RouteParts = ReturnType<typeof makeRouteParts>;

function makeRouteParts(app: FastifyInstance, options: ReportOptions) {
  const { config, site, distDir, db, now = Date.now, startReading } = options;
  const style = reportStyle(distDir);
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const places = createReadingPlaces({ mostRead: MOST_READ, mostWaiting: MOST_WAITING });
  const limit = { config: { rateLimit: perMinute(REQUESTS_PER_MINUTE) } };
  return {
    site,
    db,
    now,
    style,
    reports: openReports({ settings: config, db, site, signal: stopping.signal, startReading }),
    route: { ...limit, preHandler: app.basicAuth },
    sharedRoute: limit,
    /**
     * Waits until the report may be read (reading-places.ts). Call it after the password or the
     * token was checked: strangers must not take places.
     *
     * @returns a function that gives the place back
     */
    takePlace({ socket }: FastifyRequest, { raw }: FastifyReply) {
      // The server closes connections that are silent for too long, and this one may wait. The
      // sockets of `inject` have no time limit.
      if ('setTimeout' in socket) socket.setTimeout(MOST_READ * MOST_MS);
      return places.take(raw);
    },
    questionOf: (fields: object) => readQuestion({ ...fields }, site.timeZone, now()),
    send: makeSend(style),
  };
}

/** Registers GET and POST /report. */
function registerPageRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { db, now, style, route, questionOf, send, reports, takePlace } = parts;
  // If the dates are wrong, the page shows the last 30 days, with a message at the form of dates.
  const readDates = (fields: Fields) => {
    try {
      return { question: questionOf(fields) };
    } catch (cause) {
      if (!(cause instanceof HttpError && cause.fields)) throw cause;
      const question = questionOf({ ...fields, from: '', to: '', before: '' });
      const wrong = { form: 'dates', values: fields, faults: cause.fields, token: null };
      return { question, wrong };
    }
  };
  const render = async (request: FastifyRequest, reply: FastifyReply, sent?: FormAnswer) => {
    const { question, wrong } = readDates(Object(request.query));
    const answer = sent ?? wrong;
    if (answer?.token === null) reply.code(400);
    const giveBack = await takePlace(request, reply);
    const report = await reports.read(question, now()).finally(giveBack);
    const query = request.url.slice('/report'.length);
    const forms = await renderForms({ ...parts, report, query, answer });
    const opening = await readOpening(db, question);
    const options = { forms, answer, style, opening };
    return send(reply, 'text/html', renderReport(report, options));
  };
  app.get('/report', route, (request, reply) => render(request, reply));
  const postRoute = { ...route, onRequest: refuseForeignOrigin };
  app.post('/report', postRoute, async (request, reply) => {
    const values = formFields(request);
    const { form = '' } = values;
    try {
      const wasUsed = async (ref: string) => {
        const giveBack = await takePlace(request, reply);
        return hasRows(parts, questionOf({ days: '90', ref })).finally(giveBack);
      };
      const token = await saveForm(parts, values, wasUsed);
      if (token === null) return reply.redirect(`${request.url}#h-${form.replace(/^un/, '')}`, 303);
      // The page is the answer itself. After a redirect, the secret token would be in the address,
      // and so in the browser's history and in logs.
      return render(request, reply, { form, values: {}, faults: {}, token });
    } catch (cause) {
      if (!(cause instanceof HttpError && cause.fields)) throw cause;
      return render(request, reply, { form, values, faults: cause.fields, token: null });
    }
  });
}

/** Whether there is a visit or a click for a question. Reads only until the first row. */
async function hasRows({ reports }: RouteParts, question: Question): Promise<boolean> {
  for (const what of ['visits', 'clicks'] as const) {
    let lines = '';
    for await (const text of reports.readRows(what, question)) {
      lines += text;
      // The first line has the names of the columns.
      if (lines.indexOf('\n') + 1 < lines.length) return true;
    }
  }
  return false;
}

/** Registers /report/sql and /report.csv. */
function registerDownloadRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { db, now, route, questionOf, send, reports, takePlace } = parts;
  app.get('/report/sql', route, async (request, reply) => {
    const { by, ...fields } = Object(request.query);
    const figure = readFigure(by, [...FIGURES, 'gaps']) ?? 'total';
    return send(reply, 'text/plain', writeSql(figure, questionOf(fields), db.kind, now()));
  });
  app.get('/report.csv', route, async (request, reply) => {
    const { by, ...fields } = Object(request.query);
    const figure = readFigure(by, [...FIGURES, 'clicks', 'visits']);
    const question = questionOf(fields);
    const giveBack = await takePlace(request, reply);
    const readRows = (what: 'clicks' | 'visits') => {
      const rows = reports.readRows(what, question);
      finished(rows, giveBack);
      return rows;
    };
    const rows =
      figure === 'clicks' || figure === 'visits'
        ? readRows(figure)
        : writeCsv(await reports.read(question, now()).finally(giveBack), figure);
    // The header is set only now: after a failure, the error would be saved as a file.
    const file = `report-${figure ? `${figure}-` : ''}${question.from}.csv`;
    reply.header('content-disposition', `attachment; filename="${file}"`);
    return send(reply, 'text/csv', rows);
  });
}

/** Code and language of a link's leaflet. */
const linkRequestSchema = linkSchema
  .pick({ code: true })
  .extend({ language: z.enum(LANGUAGES, 'It must be en or es.').default('en') });

/** Registers the leaflet and the QR codes of links. */
function registerLinkRoutes(
  app: FastifyInstance,
  { db, site, route }: RouteParts,
  distDir: string,
): void {
  const style = leafletStyle(distDir);
  const send = makeSend(style);
  const find = async ({ params, query }: FastifyRequest) => {
    const fields = { ...Object(query), ...Object(params) };
    const { code, language } = parseInput(linkRequestSchema, fields);
    const link = await findLink(db, code);
    if (link) return { site, language, ...link };
    throw new HttpError(404, 'not_found', 'No link with a name has this code. Make it on /report.');
  };
  app.get('/report/links/:code', route, async (request, reply) => {
    return send(reply, 'text/html', String(renderLeaflet(await find(request), style)));
  });
  app.get('/report/links/:code/qr', route, async (request, reply) => {
    return send(reply, 'image/svg+xml', makeQrCodeSvg(shortUrlOf(await find(request))));
  });
  app.get('/report/links/:code/qr.png', route, async (request, reply) => {
    return send(reply, 'image/png', makeQrCodePng(shortUrlOf(await find(request))));
  });
}

/** Registers the page for readers outside the team, who have a token and no password. */
function registerSharedRoute(app: FastifyInstance, parts: RouteParts): void {
  const { site, db, now, style, sharedRoute, send, reports, takePlace } = parts;
  type Route = { Params: { token: string } };
  app.get<Route>('/report/shared/:token', sharedRoute, async (request, reply) => {
    const found = findShare(db, request.params.token, now());
    // No failure is logged: strangers may send any token, and would fill the log.
    const share = await found.catch(throwUnavailable(NOT_READ, RETRY_AFTER_S));
    if (!share) {
      app.refusals.note('share_token');
      throw new HttpError(404, 'not_found', 'This address is wrong, or has ended.');
    }
    const question = sharedQuestion(share.ref, site.timeZone, now());
    const giveBack = await takePlace(request, reply);
    const report = await reports.read(question, now()).finally(giveBack);
    return send(reply, 'text/html', renderReport(report, { style }));
  });
}

/**
 * Returns the table that `by` names. Undefined: it names none. @throws HttpError 400: unknown name
 */
function readFigure<T extends string>(by: unknown, known: readonly T[]): T | undefined {
  const found = known.find((name) => name === by);
  if (found || by === undefined) return found;
  throw new HttpError(400, 'validation_failed', `by must be one of ${known.join(', ')}`);
}

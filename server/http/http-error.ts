/**
 * HttpError, which the error handler turns into an answer, and functions that validate requests.
 */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';

type Details = Partial<Pick<HttpError, 'fields' | 'retryAfterS' | 'cause'>>;

export class HttpError extends Error {
  readonly statusCode: number;
  /** Stable code for programs: `validation_failed`, `not_found`, … */
  readonly code: string;
  /** One message per invalid field. */
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterS: number | undefined;

  constructor(statusCode: number, code: string, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.statusCode = statusCode;
    this.code = code;
    this.fields = details.fields;
    this.retryAfterS = details.retryAfterS;
  }
}

/**
 * Makes a 503: nothing was stored, and the client may retry.
 *
 * @param retryAfterS seconds, for `Retry-After`
 */
export function unavailable(message: string, retryAfterS: number, cause?: unknown): HttpError {
  return new HttpError(503, 'unavailable', message, { retryAfterS, cause });
}

/** Creates a handler for `.catch` that throws a 503, with the original error as its cause. */
export const throwUnavailable =
  (message: string, retryAfterS: number) =>
  (cause: unknown): never => {
    throw unavailable(message, retryAfterS, cause);
  };

/**
 * Validates a value by a schema, and returns the parsed value.
 *
 * @throws HttpError 400 with the first message of each invalid field. The field is `body` if the
 * value is not an object
 */
export function parseInput<T extends z.core.$ZodType>(
  schema: T,
  value: unknown,
  message = 'Please check the marked fields.',
): z.output<T> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '') || 'body';
    fields[field] ??= field === 'body' ? 'must be a JSON object' : issue.message;
  }
  throw new HttpError(400, 'validation_failed', message, { fields });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body as text, for the log of refused clicks. Null until it is read. */
    bodyText: string | null;
  }
}

/**
 * Makes the routes of this scope accept JSON with these content types, and no other bodies. Schemas
 * remove unknown keys.
 */
export function readJsonBodies(app: FastifyInstance, types = ['application/json']): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyText', null);
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = String(text);
    parse(request, request.bodyText, done);
  });
}

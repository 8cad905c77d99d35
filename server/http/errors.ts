/**
 * Converts errors to answers: JSON `{ error: { code, message, fields? } }`, or, for a client that
 * accepts plain text, one sentence with the code in the header `error-code`.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_CODE_HEADER } from '#contract/limits.ts';
import { HttpError } from './http-error.ts';
import { headersOf } from './security.ts';

interface ErrorOptions {
  /** Converts the answer to the visitor's language. The log stays in English. */
  translate?: (original: HttpError) => HttpError;
  /** Whether to send a sentence instead of JSON. Default: as the client's Accept header says. */
  isText?: boolean;
}

/**
 * Logs an error and sends its answer. The answer has no internal details, and the log has no input
 * of the client.
 */
export function sendError(
  error: FastifyError | HttpError,
  request: FastifyRequest,
  reply: FastifyReply,
  { translate, isText = acceptsText(request) }: ErrorOptions = {},
): void {
  const original = toHttpError(error);
  logError(error, original, request);
  const { statusCode, code, message, fields, retryAfterS } = translate?.(original) ?? original;
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
  reply.code(statusCode).headers(headersOf(request));
  if (isText) {
    // The messages of the fields are more specific than the general one.
    const text = fields ? Object.values(fields).join('. ') : message;
    reply.header(ERROR_CODE_HEADER, code).type('text/plain; charset=utf-8').send(text);
  } else {
    const answer = { error: { code, message, ...(fields && { fields }) } };
    reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  }
}

function logError(error: Error, httpError: HttpError, request: FastifyRequest): void {
  const { statusCode, code, fields, message } = httpError;
  // The route's pattern, because the path itself may contain a code or a name.
  const route = request.routeOptions?.url ?? 'unknown';
  const place = { method: request.method, route, req_id: request.id };
  // The error of a faulty request is not logged, because it may quote the input: V8 quotes invalid
  // JSON, and Fastify quotes a URL.
  const why = statusCode < 500 ? { code, fields: fields && Object.keys(fields) } : { err: error };
  // `unavailable` is only debug: the failing part has logged it once as an error, and under load
  // there would be thousands of lines per second.
  const level = statusCode < 500 || code === 'unavailable' ? 'debug' : 'error';
  request.log[level]({ ...why, ...place }, message);
}

/**
 * Whether the client's Accept header names text/plain. A star is not enough, because programs
 * expect JSON.
 */
const acceptsText = ({ headers }: FastifyRequest): boolean =>
  /\btext\/plain\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers.accept ?? '');

/** The answer to a body that is not JSON: status, code and message. */
const MALFORMED_JSON: [number, string, string] = [
  400,
  'malformed_json',
  'The body is not valid JSON.',
];
/** The answers for errors that Fastify itself throws. */
const FASTIFY_ERRORS: Record<string, [number, string, string]> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: MALFORMED_JSON,
  FST_ERR_CTP_INVALID_JSON_BODY: MALFORMED_JSON,
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'Send application/json.'],
  FST_BASIC_AUTH_MISSING_OR_BAD_AUTHORIZATION_HEADER: [
    401,
    'unauthorized',
    'Send ADMIN_PASSWORD with Basic authentication.',
  ],
};

/** Converts any error to an HttpError whose message the client may see. */
export function toHttpError(error: FastifyError | HttpError): HttpError {
  if (error instanceof HttpError) return error;
  const known = FASTIFY_ERRORS[error.code];
  if (known) return new HttpError(...known);
  const { statusCode = 500 } = error;
  if (statusCode < 500)
    return new HttpError(statusCode, 'bad_request', 'The request cannot be understood.');
  return new HttpError(500, 'internal_error', 'Something went wrong on our side.');
}

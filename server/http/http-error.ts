/** An error with its HTTP answer. Routes and plugins throw it; the error handler answers it. */
export interface HttpErrorOptions {
  /** One message per invalid field. */
  fields?: Record<string, string>;
  retryAfterS?: number;
  cause?: unknown;
}

export class HttpError extends Error {
  readonly statusCode: number;
  /** Stable, for programs: `validation_failed`, `not_found`, … */
  readonly code: string;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterS: number | undefined;

  constructor(statusCode: number, code: string, message: string, options: HttpErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.statusCode = statusCode;
    this.code = code;
    this.fields = options.fields;
    this.retryAfterS = options.retryAfterS;
  }
}

/** Makes a 503: nothing was kept, and the client may send the request again. */
export function unavailable(message: string, retryAfterS: number, cause?: unknown): HttpError {
  return new HttpError(503, 'unavailable', message, { retryAfterS, cause });
}

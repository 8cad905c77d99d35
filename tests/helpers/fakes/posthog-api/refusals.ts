/** PostHog's error answers, as far as they are known. */

export interface Reply {
  status: number;
  /** Undefined: an empty body. A string is sent as it is, as HTML. */
  body?: unknown;
  headers?: Record<string, string>;
}

const refusal = (status: number, type: string, code: string, detail: string, attr?: string) => ({
  status,
  body: { type, code, detail, attr: attr ?? null },
});

export const NOT_AUTHENTICATED = refusal(
  401,
  'authentication_error',
  'not_authenticated',
  'Authentication credentials were not provided.',
);
export const WRONG_KEY = refusal(
  401,
  'authentication_error',
  'authentication_failed',
  'Personal API key found in request Authorization header is invalid.',
);
export const NOT_FOUND = refusal(404, 'invalid_request', 'not_found', 'Not found.');
/** DELETE: the body is empty. */
export const NO_DELETE: Reply = { status: 405 };

export const missingScope = (scope: string) =>
  refusal(
    403,
    'authentication_error',
    'permission_denied',
    `API key missing required scope '${scope}'`,
  );

export const invalid = (attr: string, detail: string) =>
  refusal(400, 'validation_error', 'invalid_input', detail, attr);

export const throttled = (seconds: number): Reply => ({
  ...refusal(
    429,
    'throttled_error',
    'throttled',
    `Request was throttled. Expected available in ${seconds} seconds.`,
  ),
  headers: { 'retry-after': String(seconds) },
});

export const unavailable = (status: 500 | 502 | 503 | 504): Reply => ({
  status,
  body: '<html><body>upstream failure</body></html>',
});

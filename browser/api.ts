/** Calls to our own API, as the specification's sections 7 and 8 define them. */

import { ERROR_CODE_HEADER } from '#contract/limits.ts';

/**
 * A response that is not a success; its message is `status: body`, or `status: status text` for an
 * empty body.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The response's body or status text, without the status code. */
  readonly text: string;
  /**
   * Our server's error code, such as `validation_failed`; null if a proxy in between has answered.
   */
  readonly code: string | null;

  constructor(status: number, text: string, code: string | null = null) {
    super(`${status}: ${text}`);
    this.status = status;
    this.text = text;
    this.code = code;
  }
}

export type On401 = 'throw' | 'return-null';

/**
 * @param url path at the API's origin
 * @param body sent as JSON, with its content type; both only when given
 * @param on401 whether a 401 throws or returns null
 * @returns the parsed JSON, or null on a 401 that was asked to be null
 * @throws ApiError for any other response that is not a success
 */
export async function apiRequest(
  method: string,
  url: string,
  { body, on401 = 'throw', signal }: { body?: unknown; on401?: On401; signal?: AbortSignal } = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: {
      // The server then words its errors as sentences, which visitors can read.
      accept: 'application/json, text/plain',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.status === 401 && on401 === 'return-null') return null;
  if (!response.ok) {
    const text = (await response.text()) || response.statusText;
    throw new ApiError(response.status, text, response.headers.get(ERROR_CODE_HEADER));
  }
  return response.json();
}

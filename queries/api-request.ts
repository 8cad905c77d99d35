/** Calls to our own API, as the specification's sections 7 and 8 define them. */

import { apiUrl } from '#contract/api-url.ts';

/** A response that is not a success; its message is `status: body`, or `status: status text` for an empty body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
  }
}

export type On401 = 'throw' | 'return-null';

/**
 * @param url path at the API's origin
 * @param body sent as JSON, with its content type; both only when given
 * @param on401 what an answer of 401 means
 * @returns the parsed JSON, or null on a 401 that was asked to be null
 * @throws ApiError for any other response that is not a success
 */
export async function apiRequest(
  method: string,
  url: string,
  { body, on401 = 'throw', signal }: { body?: unknown; on401?: On401; signal?: AbortSignal } = {},
): Promise<unknown> {
  const response = await fetch(apiUrl(url), {
    method,
    credentials: 'include',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    ...(signal && { signal }),
  });
  if (response.status === 401 && on401 === 'return-null') return null;
  if (!response.ok) {
    throw new ApiError(response.status, (await response.text()) || response.statusText);
  }
  return response.json();
}

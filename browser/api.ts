/** Sends JSON requests to the site's own API (specification, sections 7 and 8). */

import { ERROR_CODE_HEADER } from '#contract/limits.ts';

/**
 * Thrown for a response that is not the answer to the request. Its message is `status: body`, or
 * `status: status text` if the body is empty.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The response's body or status text, without the status code. */
  readonly text: string;
  /**
   * The site's error code from a response header, such as `validation_failed`; null if a proxy has
   * answered in place of the site.
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

interface RequestOptions {
  body?: unknown;
  on401?: On401;
  isAnswer?: (answer: unknown) => boolean;
  signal?: AbortSignal;
}

/**
 * Sends one request to the site's API, with cookies, and parses the JSON of its response.
 *
 * @param url a path of this site, such as `/api/stats`
 * @param body sent as JSON. Without it, the request has no body and no content type
 * @param on401 what a response with status 401 does: throw, or return null
 * @param isAnswer whether parsed JSON is the answer of the site's server. A proxy may answer in its
 * place: the login page of a public Wi-Fi has the status 200
 * @returns the parsed JSON; null for a 401 with `return-null`
 * @throws ApiError for every other response with a status outside 200 to 299, for one that is not
 * JSON, and for one that is not the answer
 */
export async function apiRequest(
  method: string,
  url: string,
  { body, on401 = 'throw', isAnswer = () => true, signal }: RequestOptions = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: {
      // For text/plain, the server answers an error as a sentence that visitors can read.
      accept: 'application/json, text/plain',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.status === 401 && on401 === 'return-null') return null;
  const text = await response.text();
  const code = response.headers.get(ERROR_CODE_HEADER);
  const error = new ApiError(response.status, text || response.statusText, code);
  if (!response.ok) throw error;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw error;
  }
  if (!isAnswer(answer)) throw error;
  return answer;
}

/** One request to PostHog's management API, and what its answer means. */

import { readRetryAfter } from '../retry-after.ts';

export type Method = 'GET' | 'POST' | 'PATCH';

/** Where the API is and who asks. */
export interface Access {
  /** Origin of PostHog's app, such as https://eu.posthog.com: not the host for events. */
  host: string;
  projectId: number;
  /** Personal API key, phx_…. No message contains it. */
  key: string;
}

export interface Answer {
  /** 0: no answer came. */
  status: number;
  /** Parsed JSON; undefined: the body is not JSON, such as a login page. */
  json: unknown;
  /** Milliseconds that PostHog asks to wait; null: it does not say. */
  retryAfterMs: number | null;
  /** Why there is no answer; empty if there is one. */
  failure: string;
  /** The request cannot have reached PostHog. */
  neverSent: boolean;
}

export type Fetch = typeof fetch;

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** @param url absolute, on the host of `access` @param now milliseconds since 1970, for a `Retry-After` with a date */
export async function ask(
  { access, fetch, now, timeoutMs }: AskOptions,
  method: Method,
  url: string,
  body?: object,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${access.key}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // Another address must never get the key, and a POST would lose its body.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: response.status,
      json: parse(await response.text()),
      retryAfterMs: readRetryAfter(response.headers.get('retry-after'), now()),
      failure: '',
      neverSent: false,
    };
  } catch (error) {
    return noAnswer(error as Error);
  }
}

interface AskOptions {
  access: Access;
  fetch: Fetch;
  now: () => number;
  timeoutMs: number;
}

function noAnswer(error: Error): Answer {
  const cause = (error.cause ?? error) as Error & { code?: string };
  const neverSent = NEVER_SENT.includes(cause.code ?? '');
  const failure = cause.message || cause.code || error.message;
  return { status: 0, json: undefined, retryAfterMs: null, failure, neverSent };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the answer is a success with JSON. A login page with status 200 is not. */
export const isSuccess = ({ status, json }: Answer): boolean =>
  status >= 200 && status < 300 && json !== undefined;

/** PostHog certainly did nothing, and may do it if asked again. */
export const isPutOff = ({ status }: Answer): boolean => [408, 425, 429].includes(status);

/** PostHog failed, and may or may not have done what was asked. */
export const isServerFailure = ({ status }: Answer): boolean =>
  [500, 502, 503, 504].includes(status);

/** The request may have reached PostHog, but no answer came. */
export const isLost = ({ status, neverSent }: Answer): boolean => status === 0 && !neverSent;

/** It is unknown whether PostHog did what was asked. */
export const isUnknown = (answer: Answer): boolean =>
  isLost(answer) ||
  isServerFailure(answer) ||
  (answer.status >= 200 && answer.status < 300 && answer.json === undefined);

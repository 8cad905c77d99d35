/**
 * PostHog's management API: lists, reads, changes and makes objects of one project.
 *
 * GET and PATCH are repeated after failures that may pass. A POST is not idempotent, so after a doubtful answer `createOnce` first
 * looks whether the object is there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Access,
  type Answer,
  ask,
  type Fetch,
  isLost,
  isPutOff,
  isServerFailure,
  isSuccess,
  isUnknown,
  type Method,
} from './answer.ts';
import { describeFailure, ManagementError, tooLongToWait } from './management-error.ts';

const TRIES = 5;
const TIMEOUT_MS = 30_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** PostHog's limits are per minute. A longer wait is the operator's decision. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const PAGE = 100;
const MAX_PAGES = 1000;

export interface World {
  fetch: Fetch;
  now: () => number;
  random: () => number;
  wait: (ms: number) => Promise<unknown>;
  /** Time for one request. */
  timeoutMs: number;
}

const REAL_WORLD: World = {
  fetch: globalThis.fetch,
  now: Date.now,
  random: Math.random,
  wait: sleep,
  timeoutMs: TIMEOUT_MS,
};

export type Management = ReturnType<typeof openManagement>;

/** Paths are below the project, with a slash at the end: `dashboards/7/`. Every method throws a ManagementError. */
export function openManagement(access: Access, world: World = REAL_WORLD) {
  const root = `${access.host}/api/projects/${access.projectId}/`;

  async function once(method: Method, path: string, body?: object): Promise<Answer> {
    return ask({ access, ...world }, method, new URL(path, root).href, body);
  }

  /** Waits as long as PostHog asks, or longer after each attempt. */
  async function pause(answer: Answer, attempt: number, method: Method, path: string) {
    const asked = answer.retryAfterMs;
    if (asked !== null && asked > LONGEST_RETRY_AFTER_MS) {
      throw tooLongToWait(method, path, Math.ceil(asked / 1000));
    }
    const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
    await world.wait(asked ?? backoff * (0.7 + 0.6 * world.random()));
  }

  async function repeat(method: Method, path: string, body?: object): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once(method, path, body);
      if (isSuccess(answer)) return answer.json;
      const mayPass = isPutOff(answer) || isServerFailure(answer) || isLost(answer);
      if (!mayPass || attempt === TRIES) throw describeFailure(access, `${method} ${path}`, answer);
      await pause(answer, attempt, method, path);
    }
  }

  /**
   * Makes one object, and never two.
   *
   * @param find looks for the object that an earlier attempt may have made
   */
  async function createOnce<T>(
    path: string,
    { body, schema, find }: { body: object; schema: z.ZodType<T>; find: () => Promise<T | null> },
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once('POST', path, body);
      if (isSuccess(answer)) return read(`POST ${path}`, schema, answer.json);
      const inDoubt = isUnknown(answer);
      if (!inDoubt && !isPutOff(answer)) throw describeFailure(access, `POST ${path}`, answer);
      if (attempt === TRIES && !inDoubt) throw describeFailure(access, `POST ${path}`, answer);
      await pause(answer, attempt, 'POST', path);
      if (!inDoubt) continue;
      const found = await find();
      if (found) return found;
      // PostHog may still be working on a request without an answer, so another one could make a second object.
      if (!isServerFailure(answer) || attempt === TRIES) throw unanswered(path, answer);
    }
  }

  async function list<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
    const page: z.ZodType<Page<T>> = z.object({
      results: z.array(schema),
      next: z.string().nullish(),
    });
    const all: T[] = [];
    let next: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}`;
    for (let pages = 0; next !== null; pages += 1) {
      if (pages === MAX_PAGES) throw new ManagementError(`GET ${path}: the list has no end`);
      const answer: Page<T> = read(`GET ${path}`, page, await repeat('GET', next));
      all.push(...answer.results);
      next = answer.next ? pathOf(answer.next) : null;
    }
    return all;
  }

  return {
    access,
    list,
    createOnce,
    /** A POST that only reads, such as a query. */
    ask: async <T>(path: string, body: object, schema: z.ZodType<T>): Promise<T> =>
      read(`POST ${path}`, schema, await repeat('POST', path, body)),
    get: async <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
      read(`GET ${path}`, schema, await repeat('GET', path)),
    change: async <T>(path: string, body: object, schema: z.ZodType<T>): Promise<T> =>
      read(`PATCH ${path}`, schema, await repeat('PATCH', path, body)),
  };
}

interface Page<T> {
  results: T[];
  next?: string | null | undefined;
}

/** The server writes `next` with its own idea of its host, which behind a proxy can be another: the key must not go there. */
function pathOf(next: string): string {
  const { pathname, search } = new URL(next, 'http://next.invalid');
  return pathname.replace(/^\/+/, '/') + search;
}

function read<T>(what: string, schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ManagementError(
    `PostHog's answer to "${what}" is not as expected: ${z.prettifyError(parsed.error)}`,
  );
}

const unanswered = (path: string, answer: Answer): ManagementError =>
  new ManagementError(
    `It is unknown whether PostHog did "POST ${path}" (${answer.failure || `status ${answer.status}`}). Run the command again: it looks first.`,
    { status: answer.status },
  );

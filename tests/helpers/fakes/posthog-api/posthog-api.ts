/**
 * A fake of PostHog's management API on a port of this machine: keys with scopes, slashes at the end of paths, lists in pages,
 * soft deletion, and failures that a test asks for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from '../../server/local-server.ts';
import {
  missingScope,
  NO_DELETE,
  NOT_AUTHENTICATED,
  NOT_FOUND,
  type Reply,
  WRONG_KEY,
} from './refusals.ts';
import { type Fields, type List, Store } from './store.ts';

export const PROJECT = 4711;
export const KEY = 'phx_a-key-with-every-scope';
const ALL_SCOPES = [
  ...['dashboard', 'insight', 'annotation', 'subscription'].flatMap((object) => [
    `${object}:read`,
    `${object}:write`,
  ]),
  'query:read',
  'person:write',
];
const LISTS: string[] = ['dashboards', 'insights', 'annotations', 'subscriptions'];
/** Behind a proxy PostHog may write another host than ours into `next`. */
const FOREIGN_HOST = 'https://internal.posthog.invalid';

export interface Request {
  method: string;
  path: string;
  body: Fields | null;
}

/**
 * A failure for the next request that fits. `lose`: does what was asked, then closes the connection. `drop`: closes it at once.
 * `hang`: never answers.
 */
export interface Failure {
  method: string;
  path: RegExp;
  act: Reply | 'lose' | 'drop' | 'hang';
}

export type PosthogApi = Awaited<ReturnType<typeof startPosthogApi>>;

export async function startPosthogApi() {
  const store = new Store();
  const results: Fields[] = [];
  const settings: Settings = { project: {}, query: null };
  const requests: Request[] = [];
  const failures: Failure[] = [];
  const keys = new Map([[KEY, ALL_SCOPES]]);
  const persons = new Set<string>();
  const server = await startLocalServer(async (request, response) => {
    const asked = await readRequest(request);
    requests.push(asked);
    const at = failures.findIndex((it) => fits(it, asked));
    const act = failures.splice(at, at < 0 ? 0 : 1)[0]?.act;
    if (act === 'hang') return;
    if (act === 'drop') return void request.socket.destroy();
    if (typeof act === 'object') return send(response, act);
    const reply = answer(
      { store, keys, results, settings, persons },
      asked,
      request.headers.authorization,
    );
    if (act === 'lose') return void request.socket.destroy();
    send(response, reply);
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    close: server.close,
    store,
    /** Every request so far, in order. */
    requests,
    /** Requests that changed something, or tried to. */
    writes: () => requests.filter(({ method }) => method !== 'GET'),
    /** Each happens once, at the first request that fits. */
    failures,
    /** Scopes of each key. */
    keys,
    /** Answers to queries, one after the other. */
    results,
    settings,
    /** distinct_id of each person. A deletion removes it. */
    persons,
  };
}

const fits = (failure: Failure, { method, path }: Request): boolean =>
  failure.method === method && failure.path.test(path);

async function readRequest(request: IncomingMessage): Promise<Request> {
  const text = (await Array.fromAsync(request)).join('');
  const { method = '', url = '' } = request;
  return { method, path: url, body: text ? JSON.parse(text) : null };
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  const isHtml = typeof body === 'string';
  const type = isHtml ? 'text/html' : 'application/json';
  response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers });
  response.end(isHtml || body === undefined ? body : JSON.stringify(body));
}

interface Settings {
  /** Facts about the project, such as how long it keeps events. */
  project: Fields;
  /** Answers a query; null: the next one of `results`. */
  query: ((hogql: string) => Fields) | null;
}

interface Project {
  settings: Settings;
  store: Store;
  keys: Map<string, string[]>;
  results: Fields[];
  persons: Set<string>;
}

function answer(
  { store, keys, results, settings, persons }: Project,
  { method, path, body }: Request,
  authorization = '',
): Reply {
  const { pathname, searchParams } = new URL(path, FOREIGN_HOST);
  if (!pathname.endsWith('/')) {
    return method === 'GET' ? { status: 301, headers: { location: `${pathname}/` } } : NOT_FOUND;
  }
  if (!authorization) return NOT_AUTHENTICATED;
  const scopes = keys.get(authorization.replace(/^Bearer /, ''));
  if (!scopes) return WRONG_KEY;
  if (pathname === `/api/environments/${PROJECT}/`) return { status: 200, body: settings.project };
  if (pathname === `/api/projects/${PROJECT}/persons/bulk_delete/`) {
    return scopes.includes('person:write')
      ? deletePersons(persons, body)
      : missingScope('person:write');
  }
  const [, project, list = '', id] =
    /^\/api\/projects\/(\d+)\/([a-z]+)\/(?:(\d+)\/)?$/.exec(pathname) ?? [];
  if (Number(project) !== PROJECT) return NOT_FOUND;
  if (list === 'query' && method === 'POST') {
    return scopes.includes('query:read')
      ? { status: 200, body: settings.query?.(hogqlOf(body)) ?? results.shift() }
      : missingScope('query:read');
  }
  if (!isList(list)) return NOT_FOUND;
  if (method === 'DELETE') return NO_DELETE;
  const scope = `${list.slice(0, -1)}:${method === 'GET' ? 'read' : 'write'}`;
  if (!scopes.includes(scope)) return missingScope(scope);
  if (id !== undefined && method === 'PATCH') return store.change(list, Number(id), body ?? {});
  if (id === undefined && method === 'POST') return store.make(list, body ?? {});
  if (method !== 'GET') return NOT_FOUND;
  if (id === undefined) return page(store, list, pathname, searchParams);
  const thing = store.find(list, Number(id));
  return thing ? { status: 200, body: store.shown(list, thing, true) } : NOT_FOUND;
}

/** Events without a person profile have no person, so PostHog does not find them. */
function deletePersons(persons: Set<string>, body: Fields | null): Reply {
  const found = [body?.distinct_ids].flat().filter((id) => persons.delete(String(id))).length;
  const queued = body?.delete_events === true;
  return {
    status: 202,
    body: {
      persons_found: found,
      persons_deleted: found,
      events_queued_for_deletion: queued,
      deletion_errors: [],
    },
  };
}

const isList = (name: string): name is List => LISTS.includes(name);

/** PostHog gives at most 100 objects at once. */
const hogqlOf = (body: Fields | null): string => String((body?.query as Fields | undefined)?.query);

function page(store: Store, list: List, pathname: string, query: URLSearchParams): Reply {
  const all = store[list].filter(({ deleted }) => !deleted);
  const limit = Math.min(100, Number(query.get('limit') ?? 100));
  const offset = Number(query.get('offset') ?? 0);
  const results = all.slice(offset, offset + limit);
  const end = offset + results.length;
  query.set('offset', String(end));
  const next = end < all.length ? `${FOREIGN_HOST}${pathname}?${query}` : null;
  return {
    status: 200,
    body: {
      count: all.length,
      next,
      previous: null,
      results: results.map((it) => store.shown(list, it, false)),
    },
  };
}

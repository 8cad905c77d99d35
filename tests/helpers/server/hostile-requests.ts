/** Requests with which a stranger tries to make a pattern or a parser slow. */
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import { browserEvent } from '../fakes/browser-event.ts';
import { makeBody } from './server-app.ts';

export interface Route {
  method: string;
  url: string;
  /** Bytes. */
  bodyLimit: number;
}

export interface HostileRequest {
  /** A line of the report of the slowest request. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Made when it is sent, because all bodies together are larger than the memory. */
  body: (() => string | Buffer) | null;
}

/** One of each class of characters. A word, because some patterns repeat at a word. */
const UNITS = [
  'a',
  '0',
  '.',
  '/',
  ':',
  '-',
  '%',
  '%20',
  '%c3%a9',
  '&',
  '=',
  '"',
  "'",
  ')',
  'watch',
];
const BODY_UNITS = [...UNITS, ' ', 'é', '漢', '\\', 'a.', 'a:', 'a@', '::', '\t', '\n'];
/** Lists with as many fields as fit. */
const LISTS = ['&a', 'a=&', '%00&', '[', '[],', '{"a":', '{},', '"a":1,', ',', '\r\n--a'];
/** Headers that the server or one of its libraries reads. */
const HEADERS = [
  ...['user-agent', 'referer', 'origin', 'accept', 'accept-encoding', 'content-type', 'cookie'],
  ...['if-none-match', 'if-modified-since', 'range', 'x-forwarded-for', 'x-request-id', 'dnt'],
  ...['ping-from', 'ping-to', 'sec-gpc', 'sec-fetch-site', 'forwarded', 'authorization'],
];
/** The beginning of a value, so that the server reads it: without a browser's name, a user agent is a robot's. */
const HEADS: Record<string, string> = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0 ',
};
const TYPES = ['application/json', 'text/plain', 'text/ping', 'application/x-www-form-urlencoded'];
/** Events of one request: as many as the proxy takes. */
const EVENTS = 100;

const fill = (unit: string, length: number): string =>
  unit.repeat(Math.max(0, Math.floor(length / Buffer.byteLength(unit))));

/**
 * For each route: every long URL. For each POST route: every long header, body and field. GET routes share the headers: a
 * header of one character goes to each fourth of them, because the same hooks read it.
 *
 * @param headBytes upper bound for the request line and the headers together
 */
export function hostileRequests(routes: readonly Route[], headBytes: number): HostileRequest[] {
  return routes.flatMap((route, place) => {
    const urls = longUrls(route, headBytes);
    const headers = longHeaders(route, headBytes);
    if (route.method === 'HEAD') return urls;
    if (route.method !== 'POST')
      return [...urls, ...headers.filter((_, i) => (i + place) % GET_SHARE === 0)];
    return [...urls, ...headers, ...longBodies(route), ...longFields(route)];
  });
}

const GET_SHARE = 4;

const plainPath = ({ url }: Route): string => url.replace('*', 'x');

function longUrls(route: Route, length: number): HostileRequest[] {
  const { method, url } = route;
  const body = method === 'POST' ? () => 'x' : null;
  // A refused body's address is redacted for visitors with GPC.
  const headers = { 'content-type': 'application/json', 'sec-gpc': '1' };
  const ask = (path: string, what: string) => {
    return { name: `${method} ${url}, ${what}`, method, path, headers, body };
  };
  return [...UNITS, ...LISTS.slice(0, 3)].flatMap((unit) => [
    ask(`${plainPath(route)}?${fill(unit, length)}`, `query of ${unit}`),
    ...(url.includes('*')
      ? [ask(url.replace('*', `${fill(unit, length)}x`), `path of ${unit}`)]
      : []),
  ]);
}

function longHeaders(route: Route, length: number): HostileRequest[] {
  const { method, url } = route;
  const body = method === 'POST' ? () => validBody(url) : null;
  return HEADERS.flatMap((header) =>
    [...UNITS, ',', ';', 'é'].map((unit) => ({
      name: `${method} ${url}, ${header} of ${unit}`,
      method,
      path: plainPath(route),
      headers: {
        'content-type': 'application/json',
        [header]: (HEADS[header] ?? '') + fill(unit, length - 100),
      },
      body,
    })),
  );
}

function longBodies(route: Route): HostileRequest[] {
  const { method, url, bodyLimit } = route;
  // The PostHog proxy reads each type in the same way.
  const types = isProxy(url) ? TYPES.slice(0, 1) : TYPES;
  const heads = isProxy(url) ? ['', '"', 'data='] : ['', '"'];
  return types.flatMap((type) =>
    [...BODY_UNITS, ...LISTS].flatMap((unit) =>
      heads.map((head) => ({
        name: `${method} ${url}, ${type} of ${head}${unit}`,
        method,
        path: plainPath(route),
        // The proxy leaves out what a visitor with GPC sends.
        headers: { 'content-type': type, 'sec-gpc': isProxy(url) ? '0' : '1' },
        body: () => head + fill(unit, bodyLimit - 10) + (head === '"' ? '"' : ''),
      })),
    ),
  );
}

const isProxy = (url: string): boolean => url.startsWith(POSTHOG_PROXY_PATH);

/** Each text field of a valid body, as long as it can be. */
function longFields(route: Route): HostileRequest[] {
  const { method, url, bodyLimit } = route;
  const valid = validBody(url, 1);
  const fields = Object.entries(flatten(JSON.parse(valid))).filter(
    ([, value]) => typeof value === 'string',
  );
  return fields.flatMap(([path, value]) =>
    BODY_UNITS.map((unit) => ({
      name: `${method} ${url}, field ${path} of ${unit}`,
      method,
      path: plainPath(route),
      headers: { 'content-type': 'application/json' },
      body: () => {
        // Each of these takes more than one character in JSON.
        const long = fill(unit, bodyLimit - valid.length - 100).replaceAll(/["\\\t\n]/g, '');
        return valid.replace(JSON.stringify(value), () => JSON.stringify(long));
      },
    })),
  );
}

const flatten = (value: object, prefix = ''): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      each !== null && typeof each === 'object'
        ? Object.entries(flatten(each, `${prefix}${key}.`))
        : [[prefix + key, each]],
    ),
  );

const REGISTRATION = {
  ...{ firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org', smaType: 'type 2' },
  agreedToTerms: true,
};

function validBody(url: string, events = EVENTS): string {
  if (isProxy(url)) {
    const batch = Array.from({ length: events }, () => browserEvent());
    return JSON.stringify({ api_key: 'phc_test', batch });
  }
  return JSON.stringify(url.includes('register') ? REGISTRATION : makeBody());
}

/** Plants a fault into the answers of a site, of its proxy and of the partner's portal. */

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Asked {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  isPhone: boolean;
  /** Whether the request is for the partner's portal. */
  isPortal: boolean;
}

/** `silence`: the connection stays open without an answer. `reset`: it breaks off. */
export type Outcome = Answer | 'silence' | 'reset';

export interface PlantedFault {
  name: string;
  plant: (asked: Asked, answer: Answer) => Outcome;
  named: RegExp;
  /** Whether requests have to wait for an answer that never comes. */
  isSilent?: true;
}

export const isPage = ({ headers }: Answer) => /html/.test(headers['content-type'] ?? '');
export const answerOf = (
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: Buffer.from(body),
});
export const redirectTo = (location: string, more = {}) => answerOf(302, '', { location, ...more });
export const withBody = (answer: Answer, change: (text: string) => string): Answer => ({
  ...answer,
  body: Buffer.from(change(answer.body.toString())),
});
export const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

export type Plant = PlantedFault['plant'];
/** Plants into one path of the site. */
export const at =
  (path: string | RegExp, plant: Plant): Plant =>
  (asked, answer) => {
    const isThere = typeof path === 'string' ? asked.path === path : path.test(asked.path);
    return isThere && !asked.isPortal ? plant(asked, answer) : answer;
  };
/** Plants into the text of every page of the site. */
export const inPageText =
  (change: (text: string) => string): Plant =>
  (asked, answer) =>
    asked.isPortal || !isPage(answer) || answer.status !== 200 ? answer : withBody(answer, change);
/** Plants into the headers of every page of the site. */
export const inPageHeaders =
  (change: (answer: Answer) => Record<string, string>): Plant =>
  (asked, answer) =>
    asked.isPortal || !isPage(answer) || answer.status !== 200
      ? answer
      : withHeaders(answer, change(answer));
export const atPortal =
  (plant: (asked: Asked, answer: Answer) => Outcome): Plant =>
  (asked, answer) =>
    asked.isPortal ? plant(asked, answer) : answer;

export const POLICY = 'content-security-policy';
export const policyWith = (change: (policy: string) => string): Plant =>
  inPageHeaders(({ headers }) => ({ [POLICY]: change(headers[POLICY] ?? '') }));
export const MAINTENANCE = '<!doctype html><title>Back soon</title><h1>We are back soon</h1>';
export const NOT_FOUND = '<!doctype html><title>404 Not Found</title>';

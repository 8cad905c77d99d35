/** Types and functions with which the files of this folder plant faults into answers. */

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The request to the site or the portal. */
export interface RequestToSite {
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
  /** Returns the faulty answer, or the given one if the fault does not concern the request. */
  plant: (asked: RequestToSite, answer: Answer) => Outcome;
  /** Matches the message that the operator must get. */
  named: RegExp;
  /** Whether requests wait for an answer that never comes, so that the test takes longer. */
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
/** Returns a plant that changes the answers of one path of the site. */
export const atPath =
  (path: string | RegExp, plant: Plant): Plant =>
  (asked, answer) => {
    const isThere = typeof path === 'string' ? asked.path === path : path.test(asked.path);
    return isThere && !asked.isPortal ? plant(asked, answer) : answer;
  };
/** Returns a plant that changes the HTML of every page of the site. */
export const inPageText =
  (change: (text: string) => string): Plant =>
  (asked, answer) =>
    asked.isPortal || !isPage(answer) || answer.status !== 200 ? answer : withBody(answer, change);
/** Returns a plant that sets headers of every page of the site. */
export const inPageHeaders =
  (change: (answer: Answer) => Record<string, string>): Plant =>
  (asked, answer) =>
    asked.isPortal || !isPage(answer) || answer.status !== 200
      ? answer
      : withHeaders(answer, change(answer));
/** Returns a plant that changes the answers of the partner's portal. */
export const atPortal =
  (plant: (asked: RequestToSite, answer: Answer) => Outcome): Plant =>
  (asked, answer) =>
    asked.isPortal ? plant(asked, answer) : answer;

export const POLICY = 'content-security-policy';
export const policyWith = (change: (policy: string) => string): Plant =>
  inPageHeaders(({ headers }) => ({ [POLICY]: change(headers[POLICY] ?? '') }));
export const MAINTENANCE = '<!doctype html><title>Back soon</title><h1>We are back soon</h1>';
export const NOT_FOUND = '<!doctype html><title>404 Not Found</title>';

/**
 * Makes the steps of a walk over the site's public address: requests for its pages (as a phone and
 * as a computer), its files, a short link, a click, the portal behind the buttons, and the
 * certificate. Each step sends its requests, and returns what is wrong with the answers.
 */
import { randomBytes } from 'node:crypto';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Clock, SECOND_MS } from '../time.ts';
import { findCertificateFaults, readCertificate } from './certificate.ts';
import { type Build, type BuiltPage, buttonsOf, findPageFaults } from './page-faults.ts';
import { type BuiltFile, hashOf, readBuild } from './read-build.ts';
import { CHECK_USER_AGENT, sendCheckClick } from './send-check-click.ts';
import { makeFault, type SiteFault } from './site-fault.ts';

export interface WalkParts {
  site: Pick<BuiltSite, 'siteUrl'>;
  distDir: string;
  now: Clock;
  fetch?: typeof fetch | undefined;
  readCertificate?: typeof readCertificate | undefined;
  /** Time limit of one answer. */
  timeoutMs?: number | undefined;
}

/** Sends the requests of one step once. @returns what is wrong; empty: nothing */
export type Step = (signal: AbortSignal) => Promise<SiteFault[]>;

/** Time limit of one answer. */
const TIMEOUT_MS = 10 * SECOND_MS;

/**
 * User agents of the walk. They end with CHECK_USER_AGENT, the name of a robot, so that neither
 * this site nor the portal counts the walk as visitors.
 */
const COMPUTER = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 ${CHECK_USER_AGENT}`;
const PHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1 ${CHECK_USER_AGENT}`;

/** Pages that a walk requests both as a phone and as a computer. Other pages: as a phone only. */
const LANDING_PATHS = ['/', '/es/'];

/**
 * Makes a ref that no link has. If an answer has another ref, a cache or a redirect is at fault.
 */
const makeRef = (): string => `site-check-${randomBytes(4).toString('hex')}`;

interface Walk {
  siteUrl: string;
  /** Adds the time limit of one answer to a signal. */
  withTimeLimit(signal: AbortSignal): AbortSignal;
  fetch: typeof fetch;
  /** Sends one request. @returns the answer; a text: the code of the error if nothing answers */
  ask(path: string, signal: AbortSignal, options?: AskOptions): Promise<Answer | string>;
}

interface AskOptions {
  method?: string;
  userAgent?: string;
}

interface Answer {
  status: number;
  headers: Headers;
  content: Buffer;
}

function createWalk(parts: WalkParts): Walk {
  const { site, timeoutMs = TIMEOUT_MS, fetch: send = fetch } = parts;
  const { siteUrl } = site;
  const withTimeLimit = (signal: AbortSignal) =>
    AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  return {
    siteUrl,
    withTimeLimit,
    fetch: send,
    async ask(path, signal, { method = 'GET', userAgent = COMPUTER } = {}) {
      try {
        const answer = await send(new URL(path, siteUrl), {
          method,
          headers: { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8' },
          redirect: 'manual',
          signal: withTimeLimit(signal),
        });
        const { status, headers } = answer;
        return { status, headers, content: Buffer.from(await answer.arrayBuffer()) };
      } catch (cause) {
        return codeOf(cause);
      }
    },
  };
}

/**
 * Lists the steps of a walk, in order. The first ones end the walk if they fail (endsWalk).
 *
 * @param asksPortal whether the walk also requests the partner's portal, to which the buttons lead
 */
export async function listSteps(parts: WalkParts, asksPortal: boolean): Promise<Step[]> {
  const walk = createWalk(parts);
  const { pages, files } = await readBuild(parts.distDir);
  const build = { siteUrl: walk.siteUrl, files: new Set(files.map(({ path }) => path)) };
  const links = asksPortal ? linksOf(pages) : [];
  return [
    (signal) => checkCertificate(walk, parts, signal),
    (signal) => reachAddress(walk, signal),
    ...stepsOf(links, (link, signal) => askPortal(walk, link, signal)),
    ...stepsOf(pages, (page, signal) => askPage(walk, page, build, signal)),
    ...stepsOf(files, (file, signal) => askFile(walk, file, signal)),
    (signal) => askShortLink(walk, signal),
    (signal) => sendClick(walk, signal),
  ];
}

/** Makes one step for each page, file or link. */
const stepsOf = <Item>(
  items: readonly Item[],
  ask: (item: Item, signal: AbortSignal) => Promise<SiteFault[]>,
): Step[] => items.map((item) => (signal) => ask(item, signal));

/** Whether a fault ends the walk: without the address or its certificate no other step succeeds. */
export const endsWalk = ({ id }: Pick<SiteFault, 'id'>): boolean =>
  id === 'address' || id === 'certificate';

/** Returns the addresses to which the buttons of the pages lead, each address once. */
const linksOf = (pages: BuiltPage[]): string[] => {
  const buttons = pages.flatMap(({ html }) => buttonsOf(html));
  return [...new Set(buttons.flatMap(({ attributes }) => attributes.get('href') ?? []))];
};

/** Checks the certificate. If nothing answers, it finds no fault: the next step reports that. */
async function checkCertificate(walk: Walk, parts: WalkParts, signal: AbortSignal) {
  const { readCertificate: read = readCertificate, now } = parts;
  if (!walk.siteUrl.startsWith('https:')) return [];
  const certificate = await read(walk.siteUrl, walk.withTimeLimit(signal)).catch(() => null);
  return certificate ? findCertificateFaults(certificate, now()) : [];
}

/** Checks that something answers at the site's address. */
async function reachAddress(walk: Walk, signal: AbortSignal): Promise<SiteFault[]> {
  const answer = await walk.ask('/', signal);
  if (typeof answer !== 'string') return [];
  const text = `nothing answers at ${walk.siteUrl} (${answer})`;
  return [{ id: 'address', kind: 'address', text }];
}

/** Compares a page with the build. A fault of only one device says which. */
async function askPage(walk: Walk, page: BuiltPage, build: Build, signal: AbortSignal) {
  const find = async (userAgent: string): Promise<SiteFault[]> => {
    const answer = await walk.ask(`${page.path}?ref=${makeRef()}`, signal, { userAgent });
    if (typeof answer === 'string')
      return [makeFault('page', 'away', `a page does not answer (${answer})`)];
    const { status, headers, content } = answer;
    return findPageFaults(page, { status, headers, body: content.toString() }, build);
  };
  const { path } = page;
  const onPhone = await find(PHONE);
  if (!LANDING_PATHS.includes(path)) return onPhone.map((fault) => ({ ...fault, at: path }));
  const onComputer = await find(COMPUTER);
  const has = (faults: SiteFault[], id: string) => faults.some((fault) => fault.id === id);
  const ofPhones = onPhone.map((fault) => ({
    ...fault,
    at: has(onComputer, fault.id) ? path : `${path} for phones`,
  }));
  const ofComputers = onComputer.filter(({ id }) => !has(onPhone, id));
  return [...ofPhones, ...ofComputers.map((fault) => ({ ...fault, at: `${path} for computers` }))];
}

/**
 * Content types that browsers accept, by the extension of a file: a pattern, and the usual type,
 * which messages name.
 */
const TYPES: Record<string, [pattern: RegExp, name: string]> = {
  js: [/javascript/, 'text/javascript'],
  css: [/^text\/css/, 'text/css'],
  svg: [/^image\/svg\+xml/, 'image/svg+xml'],
  png: [/^image\/png/, 'image/png'],
  ico: [/^image\//, 'image/x-icon'],
  woff2: [/woff2/, 'font/woff2'],
  mp4: [/^video\/mp4/, 'video/mp4'],
  vtt: [/^text\/vtt/, 'text/vtt'],
};
const ANY_TYPE: [RegExp, string] = [/./, ''];

/** Compares a file with the build: its status, its content type, and its content or size. */
async function askFile(walk: Walk, file: BuiltFile, signal: AbortSignal): Promise<SiteFault[]> {
  const makeFileFault = (cause: string, text: string): SiteFault[] => [
    { ...makeFault('file', cause, `a file ${text}`), at: file.path },
  ];
  const method = file.sha256 === null ? 'HEAD' : 'GET';
  const answer = await walk.ask(file.path, signal, { method });
  if (typeof answer === 'string') return makeFileFault('away', `does not answer (${answer})`);
  const { status, headers } = answer;
  if (status !== 200) return makeFileFault(`status-${status}`, `answers ${status}`);
  const type = headers.get('content-type')?.split(';', 1)[0] ?? 'no type';
  const [pattern, name] = TYPES[file.path.split('.').at(-1) ?? ''] ?? ANY_TYPE;
  if (!pattern.test(type)) return makeFileFault('type', `comes as ${type} instead of ${name}`);
  return isAsBuilt(file, answer) ? [] : makeFileFault('content', 'differs from the build');
}

/**
 * Whether a file's content is that of the build; for a large file, its size if the answer has one.
 */
function isAsBuilt(file: BuiltFile, { headers, content }: Answer): boolean {
  if (file.sha256 !== null) return hashOf(content) === file.sha256;
  const bytes = headers.get('content-length');
  return bytes === null || Number(bytes) === file.bytes;
}

/** Checks that a short link redirects, and that the redirect keeps its code as the `ref`. */
async function askShortLink(walk: Walk, signal: AbortSignal): Promise<SiteFault[]> {
  const makeLinkFault = (cause: string, text: string) => [
    makeFault('link', cause, `a short link ${text}`),
  ];
  const ref = makeRef();
  const answer = await walk.ask(`/r/${ref}`, signal);
  if (typeof answer === 'string') return makeLinkFault('away', `does not answer (${answer})`);
  const { status, headers } = answer;
  const to = headers.get('location');
  if (status < 300 || status > 399 || to === null)
    return makeLinkFault('status', `answers ${status}`);
  if (URL.parse(to, walk.siteUrl)?.searchParams.get('ref') === ref) return [];
  return makeLinkFault('ref', `leads to ${to} and loses its code`);
}

/** Checks that the server stores a click. */
async function sendClick(walk: Walk, signal: AbortSignal): Promise<SiteFault[]> {
  const makeClickFault = (cause: string, text: string) => [
    makeFault('click', cause, `a click ${text}`),
  ];
  try {
    const tools = { fetch: walk.fetch, signal: walk.withTimeLimit(signal) };
    const wrongAnswer = await sendCheckClick(new URL(walk.siteUrl), tools);
    if (wrongAnswer === null) return [];
    return makeClickFault('answer', `is answered with ${wrongAnswer} instead of "logged"`);
  } catch (cause) {
    return makeClickFault('away', `gets no answer (${codeOf(cause)})`);
  }
}

/** Statuses of a portal that works, but does not support the method HEAD. */
const NO_HEAD_STATUSES = [405, 501];
/** Statuses with which a firewall may refuse programs while people reach the portal. */
const REFUSED_STATUSES = [401, 403, 429];
/** Parameters of a button's link that a redirect of the portal must keep. */
const KEPT_PARAMETERS = ['ref', 'invitation_code'];

/** Checks that the portal answers, and that a redirect of it keeps the button's parameters. */
async function askPortal(walk: Walk, href: string, signal: AbortSignal): Promise<SiteFault[]> {
  const makePortalFault = (cause: string, text: string) => [makeFault('portal', cause, text)];
  const link = new URL(href, walk.siteUrl);
  link.searchParams.set('ref', makeRef());
  const options = { method: 'HEAD', userAgent: CHECK_USER_AGENT };
  const answer = await walk.ask(link.href, signal, options);
  if (typeof answer === 'string')
    return makePortalFault('away', `the button leads to a portal that does not answer (${answer})`);
  const { status, headers } = answer;
  if (REFUSED_STATUSES.includes(status)) {
    const text = `the portal refuses the server's question (${status}), perhaps not its visitors`;
    return makePortalFault('refused', text);
  }
  if (status >= 400 && !NO_HEAD_STATUSES.includes(status))
    return makePortalFault('error', `the button leads to an error of the portal (${status})`);
  // A portal that sets a cookie may keep the parameters in it.
  if (status < 300 || status > 399 || headers.has('set-cookie')) return [];
  const to = headers.get('location') ?? 'nowhere';
  const kept = URL.parse(to, link)?.searchParams;
  const lost = KEPT_PARAMETERS.filter((name) => link.searchParams.has(name) && !kept?.has(name));
  if (lost.length === 0) return [];
  return makePortalFault('loses', `the portal leads on to ${to} and loses ${lost.join(' and ')}`);
}

/** Returns the error code of a request that got no answer: `ECONNREFUSED`, or `timeout`. */
function codeOf(cause: unknown): string {
  const { cause: inner, code, name } = cause as NodeJS.ErrnoException;
  if (inner instanceof Error) return codeOf(inner);
  return name === 'TimeoutError' ? 'timeout' : (code ?? name);
}

/**
 * The steps of a walk over the site's public address: its pages as a phone and as a computer gets
 * them, its files, a short link, a click, the portal behind the buttons, and the certificate. Each
 * step asks, and says what is wrong.
 */
import { randomBytes } from 'node:crypto';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Clock, SECOND_MS } from '../time.ts';
import { findCertificateFaults, readCertificate } from './certificate.ts';
import { type BuiltPage, findPageFaults, type Served } from './page-faults.ts';
import { type BuiltFile, hashOf, readBuild } from './read-build.ts';
import { elementsOf } from './read-html.ts';
import { CHECK_USER_AGENT, sendCheckClick } from './send-check-click.ts';
import type { SiteFault } from './site-fault.ts';

export interface WalkParts {
  site: Pick<BuiltSite, 'siteUrl'>;
  distDir: string;
  now: Clock;
  fetch?: typeof fetch | undefined;
  readCertificate?: typeof readCertificate | undefined;
  /** Upper bound for one answer. */
  patienceMs?: number | undefined;
}

/** Asks once. @returns what is wrong */
export type Step = (signal: AbortSignal) => Promise<SiteFault[]>;

const PATIENCE_MS = 10 * SECOND_MS;

/**
 * Both are robots' by their last words, so that the server's own figures and the portal's leave
 * them out.
 */
const COMPUTER = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 ${CHECK_USER_AGENT}`;
const PHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1 ${CHECK_USER_AGENT}`;

/** The pages that visitors open first. A walk asks for the others as a phone only. */
const LANDING_PATHS = ['/', '/es/'];

/** A ref that no link has, so that a redirect or a cache with another ref shows. */
const makeRef = (): string => `site-check-${randomBytes(4).toString('hex')}`;

interface Walk {
  siteUrl: string;
  ask(
    path: string,
    signal: AbortSignal,
    options?: { method?: string; userAgent?: string },
  ): Promise<{ served: Omit<Served, 'body'>; content: Buffer }>;
}

/** @param asksPortal whether this walk may ask the portal */
export async function listSteps(parts: WalkParts, asksPortal: boolean): Promise<Step[]> {
  const { site, distDir, now, patienceMs = PATIENCE_MS } = parts;
  const { siteUrl } = site;
  const read = parts.readCertificate ?? readCertificate;
  const send = parts.fetch ?? fetch;
  const patient = (signal: AbortSignal) =>
    AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const walk: Walk = {
    siteUrl,
    async ask(path, signal, { method = 'GET', userAgent = COMPUTER } = {}) {
      const answer = await send(new URL(path, siteUrl), {
        method,
        headers: { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8' },
        redirect: 'manual',
        signal: patient(signal),
      });
      const content = Buffer.from(await answer.arrayBuffer());
      return { served: answer, content };
    },
  };
  const { pages, files } = await readBuild(distDir);
  const build = { siteUrl, files: new Set(files.map(({ path }) => path)) };
  const links = asksPortal ? linksOf(pages) : [];
  return [
    async (signal) => {
      if (!siteUrl.startsWith('https:')) return [];
      const certificate = await read(siteUrl, patient(signal)).catch(() => null);
      return certificate ? findCertificateFaults(certificate, now()) : [];
    },
    (signal) => reachAddress(walk, signal),
    ...links.map(
      (href): Step =>
        (signal) =>
          askPortal(walk, href, signal),
    ),
    ...pages.map(
      (page): Step =>
        (signal) =>
          askPage(walk, page, build, signal),
    ),
    ...files.map(
      (file): Step =>
        (signal) =>
          askFile(walk, file, signal),
    ),
    (signal) => askShortLink(walk, signal),
    (signal) => click(siteUrl, { fetch: send, signal: patient(signal) }),
  ];
}

/** After such a fault, every other step would say the same. */
export const endsWalk = ({ id }: Pick<SiteFault, 'id'>): boolean =>
  id === 'address' || id === 'certificate';

/** Where the buttons of the build's pages lead, each once. */
const linksOf = (pages: BuiltPage[]): string[] => {
  const links = pages.flatMap(({ html }) => elementsOf(html, 'a'));
  const buttons = links.filter(({ attributes }) => attributes.has('data-cta'));
  return [...new Set(buttons.flatMap(({ attributes }) => attributes.get('href') ?? []))];
};

async function reachAddress(walk: Walk, signal: AbortSignal): Promise<SiteFault[]> {
  try {
    await walk.ask('/', signal);
    return [];
  } catch (cause) {
    const text = `nothing answers at ${walk.siteUrl} (${codeOf(cause)})`;
    return [{ id: 'address', kind: 'address', text }];
  }
}

async function askPage(
  walk: Walk,
  page: BuiltPage,
  build: Parameters<typeof findPageFaults>[2],
  signal: AbortSignal,
) {
  const find = async (userAgent: string): Promise<SiteFault[]> => {
    const path = `${page.path}?ref=${makeRef()}`;
    const answer = await walk.ask(path, signal, { userAgent }).catch(codeOf);
    if (typeof answer === 'string')
      return [{ id: 'page-away', kind: 'page', text: `a page does not answer (${answer})` }];
    const { served, content } = answer;
    const { status, headers } = served;
    return findPageFaults(page, { status, headers, body: content.toString() }, build);
  };
  const { path } = page;
  const onPhone = await find(PHONE);
  if (!LANDING_PATHS.includes(path)) return onPhone.map((fault) => ({ ...fault, at: path }));
  const onComputer = await find(COMPUTER);
  const has = (faults: SiteFault[], id: string) => faults.some((one) => one.id === id);
  const ofPhones = onPhone.map((fault) => ({
    ...fault,
    at: has(onComputer, fault.id) ? path : `${path} for phones`,
  }));
  const ofComputers = onComputer.filter(({ id }) => !has(onPhone, id));
  return [...ofPhones, ...ofComputers.map((fault) => ({ ...fault, at: `${path} for computers` }))];
}

/** What a browser must be told of a file, and how operators read it. */
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

async function askFile(walk: Walk, file: BuiltFile, signal: AbortSignal): Promise<SiteFault[]> {
  const about = (cause: string, text: string): SiteFault[] => [
    { id: `file-${cause}`, kind: 'file', text: `a file ${text}`, at: file.path },
  ];
  const method = file.sha256 === null ? 'HEAD' : 'GET';
  const answer = await walk.ask(file.path, signal, { method }).catch(codeOf);
  if (typeof answer === 'string') return about('away', `does not answer (${answer})`);
  const { served, content } = answer;
  const { status, headers } = served;
  if (status !== 200) return about(`status-${status}`, `answers ${status}`);
  const type = headers.get('content-type')?.split(';', 1)[0] ?? 'no type';
  const [pattern, name] = TYPES[file.path.split('.').at(-1) ?? ''] ?? [/./, ''];
  if (!pattern.test(type)) return about('type', `comes as ${type} instead of ${name}`);
  const bytes = headers.get('content-length');
  const isSame =
    file.sha256 === null
      ? bytes === null || Number(bytes) === file.bytes
      : hashOf(content) === file.sha256;
  return isSame ? [] : about('content', 'differs from the build');
}

async function askShortLink(walk: Walk, signal: AbortSignal): Promise<SiteFault[]> {
  const about = (cause: string, text: string): SiteFault[] => [
    { id: `link-${cause}`, kind: 'link', text: `a short link ${text}` },
  ];
  const ref = makeRef();
  const answer = await walk.ask(`/r/${ref}`, signal).catch(codeOf);
  if (typeof answer === 'string') return about('away', `does not answer (${answer})`);
  const { status, headers } = answer.served;
  const to = headers.get('location');
  if (status < 300 || status > 399 || to === null) return about('status', `answers ${status}`);
  if (URL.parse(to, walk.siteUrl)?.searchParams.get('ref') === ref) return [];
  return about('ref', `leads to ${to} and loses its code`);
}

async function click(
  siteUrl: string,
  tools: Parameters<typeof sendCheckClick>[1],
): Promise<SiteFault[]> {
  const about = (cause: string, text: string): SiteFault[] => [
    { id: `click-${cause}`, kind: 'click', text: `a click ${text}` },
  ];
  try {
    const came = await sendCheckClick(new URL(siteUrl), tools);
    return came === null ? [] : about('answer', `is answered with ${came} instead of "logged"`);
  } catch (cause) {
    return about('away', `gets no answer (${codeOf(cause)})`);
  }
}

/** The portal answers, and only does not know the question. */
const NO_HEAD = [405, 501];
/** A firewall may refuse programs and let people through. */
const REFUSED = [401, 403, 429];
const CARRIED = ['ref', 'invitation_code'];

async function askPortal(walk: Walk, href: string, signal: AbortSignal): Promise<SiteFault[]> {
  const about = (cause: string, text: string): SiteFault[] => [
    { id: `portal-${cause}`, kind: 'portal', text },
  ];
  const link = new URL(href, walk.siteUrl);
  link.searchParams.set('ref', makeRef());
  const answer = await walk
    .ask(link.href, signal, { method: 'HEAD', userAgent: CHECK_USER_AGENT })
    .catch(codeOf);
  if (typeof answer === 'string')
    return about('away', `the button leads to a portal that does not answer (${answer})`);
  const { status, headers } = answer.served;
  if (REFUSED.includes(status)) {
    const text = `the portal refuses the server's question (${status}), perhaps not its visitors`;
    return about('refused', text);
  }
  if (status >= 400 && !NO_HEAD.includes(status))
    return about('error', `the button leads to an error of the portal (${status})`);
  if (status < 300 || status > 399 || headers.has('set-cookie')) return [];
  const to = headers.get('location') ?? 'nowhere';
  const kept = URL.parse(to, link)?.searchParams;
  const lost = CARRIED.filter((name) => link.searchParams.has(name) && !kept?.has(name));
  if (lost.length === 0) return [];
  return about('loses', `the portal leads on to ${to} and loses ${lost.join(' and ')}`);
}

/** The system's or library's code of a request that got no answer: `ECONNREFUSED`. */
function codeOf(cause: unknown): string {
  const { cause: inner, code, name } = cause as NodeJS.ErrnoException;
  if (inner instanceof Error) return codeOf(inner);
  return name === 'TimeoutError' ? 'timeout' : (code ?? name);
}

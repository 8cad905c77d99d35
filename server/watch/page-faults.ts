/**
 * Compares a page as the public address serves it with the page of the build, and finds what
 * visitors miss. A difference that takes nothing from visitors is no fault: proxies add scripts of
 * their own, and hide mail addresses.
 */
import { type Element, elementsOf } from './read-html.ts';
import { allowsInline, allowsOwn, type Policy, readPolicies } from './read-policy.ts';
import { makeFault, type SiteFault } from './site-fault.ts';

/** The answer for a page. */
interface Served {
  status: number;
  headers: Headers;
  body: string;
}

export interface BuiltPage {
  /** Path of the page: `/es/help/`. */
  path: string;
  html: string;
}

export interface Build {
  siteUrl: string;
  /** Paths of all files of the build, such as `/assets/entries/a.js`. */
  files: ReadonlySet<string>;
}

/** Names of a page's first inline script and of the others, in sentences for operators. */
const FIRST_SCRIPT = 'the script that counts clicks and carries the ref';
const OTHER_SCRIPT = 'an inline script beside it, such as the one that counts visits';

/** Finds the faults of one page. A status, a type or another page ends the comparison. */
export function findPageFaults(page: BuiltPage, served: Served, build: Build): SiteFault[] {
  const { status, headers, body } = served;
  const type = (headers.get('content-type') ?? 'no type').split(';', 1)[0] ?? '';
  if (status >= 300 && status < 400) return [redirectFault(headers.get('location') ?? 'nowhere')];
  if (status !== 200) return [makeFault('page', `status-${status}`, `a page answers ${status}`)];
  if (type !== 'text/html')
    return [makeFault('page', 'type', `a page comes as ${type} instead of text/html`)];
  const isChanged = body !== page.html;
  if (isChanged && !isOurs(page.html, body)) return [otherPageFault(body)];
  if (isChanged && isOfAnotherBuild(body, build.files)) {
    const text = 'a page is of another build: a cache keeps it, or a server was not restarted';
    return [makeFault('page', 'build', text)];
  }
  const content = isChanged ? findContentFaults(page.html, body) : [];
  return [...findHeaderFaults(headers), ...content, ...findPolicyFaults(page.html, served, build)];
}

/** Describes a redirect, and whether it keeps the `ref` with which the page was requested. */
function redirectFault(location: string): SiteFault {
  const keepsRef = URL.parse(location, 'https://site.invalid')?.searchParams.has('ref');
  const loss = keepsRef ? '' : " and loses the visitor's ref";
  return makeFault('page', 'redirect', `a page leads to ${location}${loss}`);
}

/** Describes a page that is not of this site, such as a hosting company's, by its title. */
function otherPageFault(body: string): SiteFault {
  const [title] = elementsOf(body, 'title');
  const named = title ? `, titled "${title.text.trim().slice(0, 80)}"` : '';
  return makeFault('page', 'other', `another page comes in the place of the site's${named}`);
}

/** Whether a served page has a button or an inline script of this site. */
function isOurs(built: string, served: string): boolean {
  if (buttonsOf(served).length > 0) return true;
  const { inline } = scriptsOf(served);
  return scriptsOf(built).inline.some((text) => inline.includes(text));
}

/** Returns the links that are calls to action. */
export const buttonsOf = (html: string): Element[] =>
  elementsOf(html, 'a').filter(({ attributes }) => attributes.has('data-cta'));

/** Finds paths of the build's files in the HTML of a page. */
const ASSET_PATH = /\/assets\/[\w./-]+/g;

/** Whether a page loads a script or a style sheet that this build does not have. */
const isOfAnotherBuild = (html: string, files: ReadonlySet<string>): boolean =>
  (html.match(ASSET_PATH) ?? []).some((path) => /\.(?:js|css)$/.test(path) && !files.has(path));

/** Finds headers by which browsers keep old pages, or search engines leave pages out. */
function findHeaderFaults(headers: Headers): SiteFault[] {
  const faults: SiteFault[] = [];
  const caching = headers.get('cache-control') ?? '';
  if (/\bmax-age=[1-9]|\bimmutable\b/.test(caching) && !/\bno-(?:cache|store)\b/.test(caching)) {
    const text = `browsers may keep a page after the next deploy (cache-control: ${caching})`;
    faults.push(makeFault('page', 'cache', text));
  }
  const robots = headers.get('x-robots-tag') ?? '';
  if (/\b(?:noindex|none)\b/.test(robots)) {
    const text = `search engines are told to leave a page out (x-robots-tag: ${robots})`;
    faults.push(makeFault('page', 'robots', text));
  }
  return faults;
}

function findContentFaults(built: string, served: string): SiteFault[] {
  return [
    ...findButtonFaults(built, served),
    ...findScriptFaults(built, served),
    ...findStyleFaults(built, served),
  ];
}

function findButtonFaults(built: string, served: string): SiteFault[] {
  const byName = (html: string) =>
    Object.groupBy(buttonsOf(html), ({ attributes }) => attributes.get('data-cta') ?? '');
  const servedButtons = byName(served);
  return Object.entries(byName(built)).flatMap(([name, buttons = []]) =>
    buttons.flatMap((button, i) => compareButton(name, button, servedButtons[name]?.[i])),
  );
}

function compareButton(name: string, built: Element, served: Element | undefined): SiteFault[] {
  const makeButtonFault = (cause: string, text: string) =>
    makeFault('button', `${cause}-${name}`, `the button ${name} ${text}`);
  if (!served) return [makeButtonFault('missing', 'is missing')];
  const differs = (attribute: string) =>
    served.attributes.get(attribute) !== built.attributes.get(attribute);
  const faults: SiteFault[] = [];
  if (differs('ping'))
    faults.push(
      makeButtonFault('ref', 'cannot carry the ref, because its attribute ping is missing'),
    );
  if (differs('data-event')) {
    const text = 'is counted under no name, because its attribute data-event is missing';
    faults.push(makeButtonFault('event', text));
  }
  if (differs('href')) {
    const to = served.attributes.get('href') ?? 'nowhere';
    const loss = to.includes('invitation_code=') ? '' : ' and has no invitation code';
    faults.push(makeButtonFault('link', `leads to ${to}${loss}`));
  }
  return faults;
}

function scriptsOf(html: string) {
  const scripts = elementsOf(html, 'script');
  return {
    inline: scripts.filter(({ attributes }) => !attributes.has('src')).map(({ text }) => text),
    files: scripts.filter(({ attributes }) => attributes.has('src')),
  };
}

/**
 * Values of a script's `type` with which browsers run it. Optimizers change the type to delay it.
 */
const EXECUTED_TYPES = ['', 'module', 'text/javascript', 'application/javascript'];

/** Length of a script's beginning by which a script is recognised although its rest has changed. */
const BEGINNING_CHARACTERS = 60;

function findScriptFaults(built: string, served: string): SiteFault[] {
  const servedScripts = elementsOf(served, 'script');
  const runs = ({ attributes }: Element) => EXECUTED_TYPES.includes(attributes.get('type') ?? '');
  const ofInline = scriptsOf(built).inline.flatMap((text, i) => {
    if (servedScripts.some((script) => runs(script) && script.text === text)) return [];
    const isThere = servedScripts.some((script) =>
      script.text.includes(text.slice(0, BEGINNING_CHARACTERS)),
    );
    const state = isThere ? 'changed' : 'missing';
    return makeFault('script', `inline-${i}`, `${nameOfInline(i)} is ${state}`);
  });
  const ofFiles = scriptsOf(built).files.flatMap(({ attributes }) => {
    const src = attributes.get('src') ?? '';
    if (servedScripts.some((script) => runs(script) && script.attributes.get('src') === src))
      return [];
    return makeFault('script', `file-${src}`, `the script ${src} is missing`);
  });
  return [...ofInline, ...ofFiles];
}

/** Names an inline script by its index. The build guarantees that the stub is the first one. */
const nameOfInline = (index: number): string => (index === 0 ? FIRST_SCRIPT : OTHER_SCRIPT);

function findStyleFaults(built: string, served: string): SiteFault[] {
  const sheetsOf = (html: string) =>
    elementsOf(html, 'link')
      .filter(({ attributes }) => attributes.get('rel') === 'stylesheet')
      .map(({ attributes }) => attributes.get('href') ?? '');
  const servedSheets = sheetsOf(served);
  const missing = sheetsOf(built).filter((sheet) => !servedSheets.includes(sheet));
  const styles = elementsOf(served, 'style').map(({ text }) => text);
  const isChanged = elementsOf(built, 'style').some(({ text }) => !styles.includes(text));
  return [
    ...missing.map((sheet) => makeFault('page', 'sheet', `the style sheet ${sheet} is missing`)),
    ...(isChanged ? [makeFault('page', 'style', 'an inline style is missing or changed')] : []),
  ];
}

/** Directives that must allow the page's own origin, and what is blocked if they do not. */
const OWN_ORIGIN_NEEDED = [
  ['connect-src', 'the requests that send clicks and visits'],
  ['script-src', 'scripts that are files'],
  ['style-src', 'the style sheet'],
  ['img-src', 'pictures'],
  ['font-src', 'fonts'],
] as const;

function findPolicyFaults(built: string, { headers, body }: Served, build: Build): SiteFault[] {
  const policies = [
    ...readPolicies(headers.get('content-security-policy') ?? ''),
    ...policiesIn(body),
  ];
  if (policies.length === 0)
    return [makeFault('policy', 'missing', 'a page has no content security policy')];
  const blocked: [cause: string, what: string][] = [];
  for (const [i, text] of scriptsOf(built).inline.entries())
    if (!allowsInline(policies, 'script-src', text)) blocked.push([`script-${i}`, nameOfInline(i)]);
  for (const { text } of elementsOf(built, 'style'))
    if (!allowsInline(policies, 'style-src', text)) blocked.push(['style', 'an inline style']);
  for (const [directive, what] of OWN_ORIGIN_NEEDED)
    if (!allowsOwn(policies, directive, build.siteUrl)) blocked.push([directive, what]);
  if (policies.some((policy) => policy.has('sandbox'))) blocked.push(['sandbox', 'every script']);
  return blocked.map(([cause, what]) => makeFault('policy', cause, `the policy blocks ${what}`));
}

/**
 * Reads the policies in the document's `meta` elements. Browsers apply them with those of headers.
 */
const policiesIn = (html: string): Policy[] =>
  elementsOf(html, 'meta')
    .filter(({ attributes }) =>
      /^content-security-policy$/i.test(attributes.get('http-equiv') ?? ''),
    )
    .flatMap(({ attributes }) => readPolicies(attributes.get('content') ?? ''));

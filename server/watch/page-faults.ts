/**
 * Says what visitors miss in a page as it was served, compared with the page that the build has. A
 * difference that hurts nobody is no fault: proxies add scripts of their own, and hide mail
 * addresses.
 */
import { type Element, elementsOf } from './read-html.ts';
import { allowsInline, allowsOwn, type Policy, readPolicies } from './read-policy.ts';
import type { FaultKind, SiteFault } from './site-fault.ts';

export interface Served {
  status: number;
  headers: Headers;
  body: string;
}

export interface BuiltPage {
  /** `/es/help/`. */
  path: string;
  html: string;
}

export interface Build {
  siteUrl: string;
  /** Paths of all files, such as `/assets/entries/a.js`. */
  files: ReadonlySet<string>;
}

const STUB = 'the script that counts clicks and carries the ref';
const VISIT = 'an inline script beside it, such as the one that counts visits';

export function findPageFaults(page: BuiltPage, served: Served, build: Build): SiteFault[] {
  const { status, headers, body } = served;
  const type = (headers.get('content-type') ?? 'no type').split(';', 1)[0] ?? '';
  if (status >= 300 && status < 400) return [redirectFault(headers.get('location') ?? 'nowhere')];
  if (status !== 200) return [fault('page', `status-${status}`, `a page answers ${status}`)];
  if (type !== 'text/html')
    return [fault('page', 'type', `a page comes as ${type} instead of text/html`)];
  const isChanged = body !== page.html;
  if (isChanged && !isOurs(page.html, body)) return [otherPage(body)];
  if (isChanged && isOfAnotherBuild(body, build.files)) {
    const text = 'a page is of another build: a cache keeps it, or a server was not restarted';
    return [fault('page', 'build', text)];
  }
  const content = isChanged ? findContentFaults(page.html, body) : [];
  return [...findHeaderFaults(headers), ...content, ...findPolicyFaults(page.html, served, build)];
}

const fault = (kind: FaultKind, cause: string, text: string): SiteFault => ({
  id: `${kind}-${cause}`,
  kind,
  text,
});

/** Every page was asked with a `ref`. */
function redirectFault(location: string): SiteFault {
  const keepsRef = URL.parse(location, 'https://site.invalid')?.searchParams.has('ref');
  const loss = keepsRef ? '' : " and loses the visitor's ref";
  return fault('page', 'redirect', `a page leads to ${location}${loss}`);
}

function otherPage(body: string): SiteFault {
  const [title] = elementsOf(body, 'title');
  const named = title ? `, titled "${title.text.trim().slice(0, 80)}"` : '';
  return fault('page', 'other', `another page comes in the place of the site's${named}`);
}

/** Whether a page has a button or an inline script of this site. */
function isOurs(built: string, served: string): boolean {
  const inline = scriptsOf(served).inline;
  return (
    buttonsOf(served).length > 0 || scriptsOf(built).inline.some((one) => inline.includes(one))
  );
}

const buttonsOf = (html: string): Element[] =>
  elementsOf(html, 'a').filter(({ attributes }) => attributes.has('data-cta'));

const ASSET = /\/assets\/[\w./-]+/g;

const isOfAnotherBuild = (html: string, files: ReadonlySet<string>): boolean =>
  (html.match(ASSET) ?? []).some((path) => /\.(?:js|css)$/.test(path) && !files.has(path));

function findHeaderFaults(headers: Headers): SiteFault[] {
  const faults: SiteFault[] = [];
  const caching = headers.get('cache-control') ?? '';
  if (/\bmax-age=[1-9]|\bimmutable\b/.test(caching) && !/\bno-(?:cache|store)\b/.test(caching)) {
    const text = `browsers may keep a page after the next deploy (cache-control: ${caching})`;
    faults.push(fault('page', 'cache', text));
  }
  const robots = headers.get('x-robots-tag') ?? '';
  if (/\b(?:noindex|none)\b/.test(robots)) {
    const text = `search engines are told to leave a page out (x-robots-tag: ${robots})`;
    faults.push(fault('page', 'robots', text));
  }
  return faults;
}

function findContentFaults(built: string, served: string): SiteFault[] {
  return [...findButtonFaults(built, served), ...findScriptFaults(built, served)];
}

function findButtonFaults(built: string, served: string): SiteFault[] {
  const byName = (html: string) =>
    Object.groupBy(buttonsOf(html), ({ attributes }) => attributes.get('data-cta') ?? '');
  const there = byName(served);
  return Object.entries(byName(built)).flatMap(([name, buttons = []]) =>
    buttons.flatMap((button, i) => compareButton(name, button, there[name]?.[i])),
  );
}

function compareButton(name: string, built: Element, served: Element | undefined): SiteFault[] {
  const about = (cause: string, text: string) =>
    fault('button', `${cause}-${name}`, `the button ${name} ${text}`);
  if (!served) return [about('missing', 'is missing')];
  const differs = (attribute: string) =>
    served.attributes.get(attribute) !== built.attributes.get(attribute);
  const faults: SiteFault[] = [];
  if (differs('ping'))
    faults.push(about('ref', 'cannot carry the ref, because its attribute ping is missing'));
  if (differs('data-event')) {
    const text = 'is counted under no name, because its attribute data-event is missing';
    faults.push(about('event', text));
  }
  if (differs('href')) {
    const to = served.attributes.get('href') ?? 'nowhere';
    const loss = to.includes('invitation_code=') ? '' : ' and has no invitation code';
    faults.push(about('link', `leads to ${to}${loss}`));
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

/** Types of scripts that browsers run. */
const RUNS = ['', 'module', 'text/javascript', 'application/javascript'];

/** Enough of a script's beginning to recognise one that was changed. */
const BEGINNING = 60;

function findScriptFaults(built: string, served: string): SiteFault[] {
  const there = elementsOf(served, 'script');
  const runs = ({ attributes }: Element) => RUNS.includes(attributes.get('type') ?? '');
  const ofInline = scriptsOf(built).inline.flatMap((text, i) => {
    if (there.some((script) => runs(script) && script.text === text)) return [];
    const isThere = there.some((script) => script.text.includes(text.slice(0, BEGINNING)));
    const state = isThere ? 'changed' : 'missing';
    return fault('script', `inline-${i}`, `${nameOf(i)} is ${state}`);
  });
  const ofFiles = scriptsOf(built).files.flatMap(({ attributes }) => {
    const src = attributes.get('src') ?? '';
    if (there.some((script) => runs(script) && script.attributes.get('src') === src)) return [];
    return fault('script', `file-${src}`, `the script ${src} is missing`);
  });
  return [...ofInline, ...ofFiles, ...findStyleFaults(built, served)];
}

/** The build stops if a page's first inline script is not the stub, and the page has a button. */
const nameOf = (index: number): string => (index === 0 ? STUB : VISIT);

function findStyleFaults(built: string, served: string): SiteFault[] {
  const sheetsOf = (html: string) =>
    elementsOf(html, 'link')
      .filter(({ attributes }) => attributes.get('rel') === 'stylesheet')
      .map(({ attributes }) => attributes.get('href') ?? '');
  const there = sheetsOf(served);
  const missing = sheetsOf(built).filter((sheet) => !there.includes(sheet));
  const styles = elementsOf(served, 'style').map(({ text }) => text);
  const isChanged = elementsOf(built, 'style').some(({ text }) => !styles.includes(text));
  return [
    ...missing.map((sheet) => fault('page', 'sheet', `the style sheet ${sheet} is missing`)),
    ...(isChanged ? [fault('page', 'style', 'an inline style is missing or changed')] : []),
  ];
}

/** The requests that a page needs, and what a policy without them blocks. */
const NEEDED = [
  ['connect-src', 'the requests that send clicks and visits'],
  ['script-src', 'scripts that are files'],
  ['style-src', 'the style sheet'],
  ['img-src', 'pictures'],
  ['font-src', 'fonts'],
] as const;

function findPolicyFaults(built: string, { headers, body }: Served, build: Build): SiteFault[] {
  const policies = [...readPolicies(headers.get('content-security-policy') ?? ''), ...metaOf(body)];
  if (policies.length === 0)
    return [fault('policy', 'missing', 'a page has no content security policy')];
  const blocked: [cause: string, what: string][] = [];
  for (const [i, text] of scriptsOf(built).inline.entries())
    if (!allowsInline(policies, 'script-src', text)) blocked.push([`script-${i}`, nameOf(i)]);
  for (const { text } of elementsOf(built, 'style'))
    if (!allowsInline(policies, 'style-src', text)) blocked.push(['style', 'an inline style']);
  for (const [directive, what] of NEEDED)
    if (!allowsOwn(policies, directive, build.siteUrl)) blocked.push([directive, what]);
  if (policies.some((policy) => policy.has('sandbox'))) blocked.push(['sandbox', 'every script']);
  return blocked.map(([cause, what]) => fault('policy', cause, `the policy blocks ${what}`));
}

/** Policies that stand in the document. */
const metaOf = (html: string): Policy[] =>
  elementsOf(html, 'meta')
    .filter(({ attributes }) =>
      /^content-security-policy$/i.test(attributes.get('http-equiv') ?? ''),
    )
    .flatMap(({ attributes }) => readPolicies(attributes.get('content') ?? ''));

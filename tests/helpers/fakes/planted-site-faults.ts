/**
 * Faults of a site as visitors meet them: of its server, its proxy, a cache, a deploy, its
 * certificate, and the partner's portal. Each is planted between a healthy site and the program
 * that asks it. `named` is what an operator must read within the hour.
 */

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

const isPage = ({ headers }: Answer) => /html/.test(headers['content-type'] ?? '');
const answerOf = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: Buffer.from(body),
});
const redirectTo = (location: string, more = {}) => answerOf(302, '', { location, ...more });
const withBody = (answer: Answer, change: (text: string) => string): Answer => ({
  ...answer,
  body: Buffer.from(change(answer.body.toString())),
});
const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

type Plant = PlantedFault['plant'];
/** Plants into one path of the site. */
const at =
  (path: string | RegExp, plant: Plant): Plant =>
  (asked, answer) => {
    const isThere = typeof path === 'string' ? asked.path === path : path.test(asked.path);
    return isThere && !asked.isPortal ? plant(asked, answer) : answer;
  };
/** Plants into the text of every page of the site. */
const inPages =
  (change: (text: string) => string): Plant =>
  (asked, answer) =>
    asked.isPortal || !isPage(answer) || answer.status !== 200 ? answer : withBody(answer, change);
/** Plants into the headers of every page of the site. */
const onPages =
  (change: (answer: Answer) => Record<string, string>): Plant =>
  (asked, answer) =>
    asked.isPortal || !isPage(answer) || answer.status !== 200
      ? answer
      : withHeaders(answer, change(answer));
const onPortal =
  (plant: (asked: Asked, answer: Answer) => Outcome): Plant =>
  (asked, answer) =>
    asked.isPortal ? plant(asked, answer) : answer;

const POLICY = 'content-security-policy';
const policyWith = (change: (policy: string) => string): Plant =>
  onPages(({ headers }) => ({ [POLICY]: change(headers[POLICY] ?? '') }));
const MAINTENANCE = '<!doctype html><title>Back soon</title><h1>We are back soon</h1>';
const NOT_FOUND = '<!doctype html><title>404 Not Found</title>';

const OF_PAGES: PlantedFault[] = [
  {
    name: 'the landing page fails',
    plant: at('/', () => answerOf(500, 'Internal Server Error')),
    named: /a page answers 500 \(at \/\)/,
  },
  {
    name: 'the proxy has lost its server',
    plant: ({ isPortal }, answer) => (isPortal ? answer : answerOf(502, 'Bad Gateway')),
    named: /a page answers 502 \(at \/, .* and \d+ more\)/,
  },
  {
    name: 'the Spanish page is away',
    plant: at('/es/', () => answerOf(404, NOT_FOUND)),
    named: /a page answers 404 \(at \/es\/\)/,
  },
  {
    name: 'one help page is away',
    plant: at('/help/who/', () => answerOf(404, NOT_FOUND)),
    named: /a page answers 404 \(at \/help\/who\/\)/,
  },
  {
    name: 'the host shows its own page with 200',
    plant: (asked, answer) =>
      isPage(answer) && !asked.isPortal ? answerOf(200, MAINTENANCE) : answer,
    named: /another page comes in the place of the site's, titled "Back soon"/,
  },
  {
    name: 'a page comes as plain text',
    plant: at('/', (_, answer) => withHeaders(answer, { 'content-type': 'text/plain' })),
    named: /a page comes as text\/plain .*\(at \/\)/,
  },
  {
    name: 'phones are sent to a site of their own',
    plant: (asked, answer) =>
      asked.isPhone && isPage(answer) && !asked.isPortal
        ? redirectTo('https://m.site.example/')
        : answer,
    named: /a page leads to https:\/\/m\.site\.example\/ .*\(at \/ for phones/,
  },
  {
    name: 'a redirect to the plain address loses the ref',
    plant: at('/', ({ query }, answer) => (query.has('ref') ? redirectTo('/') : answer)),
    named: /a page leads to \/ and loses the visitor's ref \(at \/\)/,
  },
  {
    name: 'a cache answers with the build before',
    plant: inPages((text) =>
      text.replace(/(\/assets\/entries\/\w+)\.[\w-]+\.js/g, '$1.0ldBui1d.js'),
    ),
    named: /a page is of another build/,
  },
  {
    name: 'a proxy lets browsers keep pages for a day',
    plant: onPages(() => ({ 'cache-control': 'public, max-age=86400' })),
    named:
      /browsers may keep a page after the next deploy \(cache-control: public, max-age=86400\)/,
  },
  {
    name: 'a header of the test site keeps search engines out',
    plant: onPages(() => ({ 'x-robots-tag': 'noindex, nofollow' })),
    named: /search engines are told to leave a page out \(x-robots-tag: noindex, nofollow\)/,
  },
];

const OF_BUTTONS: PlantedFault[] = [
  {
    name: 'the closing button is gone',
    plant: inPages((text) => text.replace(/<a data-cta="closing"[^>]*>/g, '<a>')),
    named: /the button closing is missing \(at \/, \/es\/\)/,
  },
  {
    name: 'the button of a help page is gone',
    plant: at('/es/help/who/', (_, answer) =>
      withBody(answer, (text) => text.replace(/<a data-cta="help"[^>]*>/g, '<a>')),
    ),
    named: /the button help is missing \(at \/es\/help\/who\/\)/,
  },
  {
    name: 'phones get a page without its buttons',
    plant: (asked, answer) =>
      asked.isPhone
        ? inPages((text) => text.replace(/<a data-cta="hero"[^>]*>/g, '<a>'))(asked, answer)
        : answer,
    named: /the button hero is missing \(at \/ for phones, \/es\/ for phones\)/,
  },
  {
    name: 'a filter of links sends the button elsewhere',
    plant: inPages((text) =>
      text.replace(
        /href="https:\/\/portal\.example\/create/g,
        'href="https://safe.example/?to=create',
      ),
    ),
    named: /the button hero leads to https:\/\/safe\.example\//,
  },
  {
    name: 'the invitation code is cut off',
    plant: inPages((text) => text.replace(/\?invitation_code=\w+/g, '')),
    named:
      /the button hero leads to https:\/\/portal\.example\/create-account and has no invitation code/,
  },
  {
    name: 'a filter removes the attribute by which links get the ref',
    plant: inPages((text) => text.replace(/ ping="[^"]*"/g, '')),
    named: /the button hero cannot carry the ref, because its attribute ping is missing/,
  },
  {
    name: 'a filter removes the name of the event',
    plant: inPages((text) => text.replace(/ data-event="[^"]*"/g, '')),
    named: /the button hero is counted under no name, because its attribute data-event is missing/,
  },
];

const OF_SCRIPTS: PlantedFault[] = [
  {
    name: 'the inline scripts are gone',
    plant: inPages((text) => text.replace(/<script>.*?<\/script>/gs, '')),
    named: /the script that counts clicks and carries the ref is missing/,
  },
  {
    name: 'a proxy adds a line end to inline scripts',
    plant: inPages((text) => text.replaceAll('<script>', '<script>\n')),
    named: /the script that counts clicks and carries the ref is changed/,
  },
  {
    name: 'a proxy changes the type of every script',
    plant: inPages((text) =>
      text
        .replaceAll('<script>', '<script type="7f-text/javascript">')
        .replaceAll('type="module"', 'type="7f-module"'),
    ),
    named: /the script that counts clicks and carries the ref is changed/,
  },
  {
    name: 'a proxy removes scripts that are files',
    plant: inPages((text) => text.replace(/<script src=[^>]*><\/script>/g, '')),
    named: /the script \/assets\/entries\/\S+\.js is missing/,
  },
  {
    name: 'the policy is missing',
    plant: onPages(() => ({ [POLICY]: '' })),
    named: /a page has no content security policy/,
  },
  {
    name: 'the policy does not allow the inline scripts of this build',
    plant: policyWith((policy) => policy.replace(/'sha256-[^']*'/g, '')),
    named: /the policy blocks the script that counts clicks and carries the ref/,
  },
  {
    name: 'a proxy adds a second policy',
    plant: policyWith((policy) => `${policy}, script-src 'self'`),
    named: /the policy blocks the script that counts clicks and carries the ref/,
  },
  {
    name: 'a proxy adds a policy in the document',
    plant: inPages((text) =>
      text.replace(
        '<head>',
        `<head><meta http-equiv="Content-Security-Policy" content="script-src 'self'">`,
      ),
    ),
    named: /the policy blocks the script that counts clicks and carries the ref/,
  },
  {
    name: 'the policy lets the page send nothing',
    plant: policyWith((policy) => policy.replace(/connect-src [^;]*/, "connect-src 'none'")),
    named: /the policy blocks the requests that send clicks and visits/,
  },
  {
    name: 'the policy blocks the styles',
    plant: policyWith((policy) => policy.replace(/style-src [^;]*/, "style-src 'self'")),
    named: /the policy blocks an inline style/,
  },
];

const OF_FILES: PlantedFault[] = [
  {
    name: "the page's script is away",
    plant: at(/^\/assets\/entries\/pages_index_client/, () => answerOf(404, NOT_FOUND)),
    named: /a file answers 404 \(at \/assets\/entries\/pages_index_client\.\S+\.js\)/,
  },
  {
    name: 'a script that loads late is away, after a deploy of half the files',
    plant: at(/^\/assets\/chunks\//, () => answerOf(404, NOT_FOUND)),
    named: /a file answers 404 \(at \/assets\/chunks\//,
  },
  {
    name: 'the style sheet is a page with 200',
    plant: at(/\.css$/, () => answerOf(200, MAINTENANCE)),
    named:
      /a file comes as text\/html instead of text\/css \(at \/assets\/static\/page\.\S+\.css\)/,
  },
  {
    name: 'scripts come without their type',
    plant: at(/\.js$/, (_, answer) =>
      withHeaders(answer, { 'content-type': 'application/octet-stream' }),
    ),
    named: /a file comes as application\/octet-stream instead of text\/javascript/,
  },
  {
    name: 'a font is cut off',
    plant: at(/newsreader.*\.woff2$/, (_, answer) => ({
      ...answer,
      body: answer.body.subarray(0, 4096),
    })),
    named: /a file differs from the build \(at \/assets\/static\/newsreader\S+\.woff2\)/,
  },
  {
    name: 'a script has the text of another build',
    plant: at(/^\/assets\/entries\/pages_index_client/, (_, answer) =>
      withBody(answer, (text) => `${text}\n;`),
    ),
    named: /a file differs from the build \(at \/assets\/entries\/pages_index_client/,
  },
  {
    name: 'the film is away',
    plant: at('/video/film.mp4', () => answerOf(404, NOT_FOUND)),
    named: /a file answers 404 \(at \/video\/film\.mp4\)/,
  },
];

const OF_COUNTING: PlantedFault[] = [
  {
    name: 'a cache answers every short link with the ref of another one',
    plant: at(/^\/r\//, () => redirectTo('/?ref=clinic-9')),
    named: /a short link leads to \/\?ref=clinic-9 and loses its code/,
  },
  {
    name: 'short links are away',
    plant: at(/^\/r\//, () => answerOf(404, NOT_FOUND)),
    named: /a short link answers 404/,
  },
  {
    name: 'a firewall refuses clicks',
    plant: at('/api/log-cta', () => answerOf(403, 'Request blocked')),
    named: /a click is answered with 403 Request blocked instead of "logged"/,
  },
  {
    name: 'a click is answered with a page',
    plant: at('/api/log-cta', () => answerOf(200, MAINTENANCE)),
    named: /a click is answered with 200 <!doctype html><title>Back soon/,
  },
  {
    name: 'the server keeps no clicks',
    plant: at('/api/log-cta', () => answerOf(503, '{"error":{"code":"unavailable"}}')),
    named: /a click is answered with 503/,
  },
  {
    name: 'clicks are sent to another host',
    plant: at('/api/log-cta', () => ({
      ...redirectTo('https://www.site.example/api/log-cta'),
      status: 308,
    })),
    named: /a click is answered with 308 to https:\/\/www\.site\.example\/api\/log-cta/,
  },
  {
    name: 'clicks get no answer',
    plant: at('/api/log-cta', () => 'silence'),
    isSilent: true,
    named: /a click gets no answer \(timeout\)/,
  },
];

const OF_PORTAL: PlantedFault[] = [
  {
    name: 'the portal has no such page',
    plant: onPortal(() => answerOf(404, NOT_FOUND)),
    named: /the button leads to an error of the portal \(404\)/,
  },
  {
    name: 'the portal fails',
    plant: onPortal(() => answerOf(502, '')),
    named: /the button leads to an error of the portal \(502\)/,
  },
  {
    name: 'the portal breaks off',
    plant: onPortal(() => 'reset'),
    named: /the button leads to a portal that does not answer \(\w+\)/,
  },
  {
    name: 'the portal is silent',
    plant: onPortal(() => 'silence'),
    isSilent: true,
    named: /the button leads to a portal that does not answer \(timeout\)/,
  },
  {
    name: 'the portal refuses',
    plant: onPortal(() => answerOf(403, '')),
    named: /the portal refuses the server's question \(403\)/,
  },
  {
    name: 'the portal leads to its first page, without code and ref',
    plant: onPortal(() => redirectTo('https://portal.example/welcome')),
    named:
      /the portal leads on to https:\/\/portal\.example\/welcome and loses ref and invitation_code/,
  },
  {
    name: 'a cache of the portal leads on with the code only',
    plant: onPortal(({ query }) =>
      redirectTo(`/sign-up?invitation_code=${query.get('invitation_code')}`),
    ),
    named: /the portal leads on to \/sign-up\?invitation_code=\w+ and loses ref\./,
  },
];

const OF_ADDRESS: PlantedFault[] = [
  {
    name: 'connections to the site break off',
    plant: ({ isPortal }, answer) => (isPortal ? answer : 'reset'),
    named: /nothing answers at https:\/\/site\.example \(\w+\)/,
  },
  {
    name: 'the site is silent',
    plant: ({ isPortal }, answer) => (isPortal ? answer : 'silence'),
    isSilent: true,
    named: /nothing answers at https:\/\/site\.example \(timeout\)/,
  },
];

/** The certificate's faults are not here: they have servers of their own. */
export const PLANTED: PlantedFault[] = [
  ...OF_PAGES,
  ...OF_BUTTONS,
  ...OF_SCRIPTS,
  ...OF_FILES,
  ...OF_COUNTING,
  ...OF_PORTAL,
  ...OF_ADDRESS,
];

/** What proxies and portals do that hurts no visitor, so that it must not be named. */
export const HARMLESS: Omit<PlantedFault, 'named'>[] = [
  {
    name: 'a proxy adds its own headers',
    plant: (_, answer) => withHeaders(answer, { server: 'cloudflare', via: '1.1 cache' }),
  },
  {
    name: 'line ends of Windows between the tags',
    plant: inPages((text) => text.replaceAll('>\n<', '>\r\n<')),
  },
  {
    name: 'mail addresses are hidden from robots',
    plant: inPages((text) => text.replace(/mailto:[^"]*/g, '/cdn-cgi/l/email-protection#a1')),
  },
  {
    name: 'a proxy adds a script of its own, which the policy blocks',
    plant: inPages((text) => text.replace('</body>', '<script>var a=1</script></body>')),
  },
  {
    name: 'the portal does not know HEAD',
    plant: onPortal(() => answerOf(405, '')),
  },
  {
    name: 'the portal leads on with ref and code',
    plant: onPortal(({ query }) => redirectTo(`https://id.portal.example/start?${query}`)),
  },
  {
    name: 'the portal keeps ref and code in a cookie',
    plant: onPortal(() =>
      redirectTo('https://portal.example/start', { 'set-cookie': 'invited=1' }),
    ),
  },
];

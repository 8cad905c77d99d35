/** Faults of pages and of their buttons, by a server, a proxy, a cache or a filter. */
import {
  answerOf,
  atPath,
  inPageHeaders,
  inPageText,
  isPage,
  MAINTENANCE,
  NOT_FOUND,
  type PlantedFault,
  redirectTo,
  withBody,
  withHeaders,
} from './plant.ts';

export const PAGES_FAULTS: PlantedFault[] = [
  {
    name: 'the landing page fails',
    plant: atPath('/', () => answerOf(500, 'Internal Server Error')),
    named: /a page answers 500 \(at \/\)/,
  },
  {
    name: 'the proxy has lost its server',
    plant: ({ isPortal }, answer) => (isPortal ? answer : answerOf(502, 'Bad Gateway')),
    named: /a page answers 502 \(at \/, .* and \d+ more\)/,
  },
  {
    name: 'the Spanish page is away',
    plant: atPath('/es/', () => answerOf(404, NOT_FOUND)),
    named: /a page answers 404 \(at \/es\/\)/,
  },
  {
    name: 'one help page is away',
    plant: atPath('/help/who/', () => answerOf(404, NOT_FOUND)),
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
    plant: atPath('/', (_, answer) => withHeaders(answer, { 'content-type': 'text/plain' })),
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
    plant: atPath('/', ({ query }, answer) => (query.has('ref') ? redirectTo('/') : answer)),
    named: /a page leads to \/ and loses the visitor's ref \(at \/\)/,
  },
  {
    name: 'a cache answers with the build before',
    plant: inPageText((text) =>
      text.replace(/(\/assets\/entries\/\w+)\.[\w-]+\.js/g, '$1.0ldBui1d.js'),
    ),
    named: /a page is of another build/,
  },
  {
    name: 'a proxy lets browsers keep pages for a day',
    plant: inPageHeaders(() => ({ 'cache-control': 'public, max-age=86400' })),
    named:
      /browsers may keep a page after the next deploy \(cache-control: public, max-age=86400\)/,
  },
  {
    name: 'a header of the test site keeps search engines out',
    plant: inPageHeaders(() => ({ 'x-robots-tag': 'noindex, nofollow' })),
    named: /search engines are told to leave a page out \(x-robots-tag: noindex, nofollow\)/,
  },
];

export const BUTTONS_FAULTS: PlantedFault[] = [
  {
    name: 'the closing button is gone',
    plant: inPageText((text) => text.replace(/<a data-cta="closing"[^>]*>/g, '<a>')),
    named: /the button closing is missing \(at \/, \/es\/\)/,
  },
  {
    name: 'the button of a help page is gone',
    plant: atPath('/es/help/who/', (_, answer) =>
      withBody(answer, (text) => text.replace(/<a data-cta="help"[^>]*>/g, '<a>')),
    ),
    named: /the button help is missing \(at \/es\/help\/who\/\)/,
  },
  {
    name: 'phones get a page without its buttons',
    plant: (asked, answer) =>
      asked.isPhone
        ? inPageText((text) => text.replace(/<a data-cta="hero"[^>]*>/g, '<a>'))(asked, answer)
        : answer,
    named: /the button hero is missing \(at \/ for phones, \/es\/ for phones\)/,
  },
  {
    name: 'a filter of links sends the button elsewhere',
    plant: inPageText((text) =>
      text.replace(
        /href="https:\/\/portal\.example\/create/g,
        'href="https://safe.example/?to=create',
      ),
    ),
    named: /the button hero leads to https:\/\/safe\.example\//,
  },
  {
    name: 'the invitation code is cut off',
    plant: inPageText((text) => text.replace(/\?invitation_code=\w+/g, '')),
    named:
      /the button hero leads to https:\/\/portal\.example\/create-account and has no invitation code/,
  },
  {
    name: 'a filter removes the attribute by which links get the ref',
    plant: inPageText((text) => text.replace(/ ping="[^"]*"/g, '')),
    named: /the button hero cannot carry the ref, because its attribute ping is missing/,
  },
  {
    name: 'a filter removes the name of the event',
    plant: inPageText((text) => text.replace(/ data-event="[^"]*"/g, '')),
    named: /the button hero is counted under no name, because its attribute data-event is missing/,
  },
];

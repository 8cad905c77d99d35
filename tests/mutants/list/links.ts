/** The promise: a link that a clinic gave away leads to the page with its code, and figures about losses are honest. */
import type { Mutant } from '../try-mutants.ts';

const LINKS = 'tests/server/links/links.test.ts';
const LOSS = 'tests/server/report/loss-meter.test.ts';

export const LINK_MUTANTS: readonly Mutant[] = [
  {
    name: 'a code that the table does not have loses its ref',
    file: 'server/links/links.ts',
    find: 'knownCodes.spellingOf(typed) ?? typed',
    replace: "knownCodes.spellingOf(typed) ?? ''",
    tests: [LINKS],
  },
  {
    name: 'browsers keep the redirect of a short link for years',
    file: 'server/links/links.ts',
    find: '.redirect(url, 302)',
    replace: '.redirect(url, 301)',
    tests: [LINKS],
  },
  {
    name: 'a short link passes on campaign values of any form',
    file: 'server/links/landing-url.ts',
    find: 'value !== null && CAMPAIGN_VALUE.test(value)',
    replace: 'value !== null',
    tests: [LINKS],
  },
  {
    name: 'a fault in the table of codes stops the server',
    file: 'server/links/known-codes.ts',
    find: '      return false;\n    }\n  };',
    replace: '      throw cause;\n    }\n  };',
    tests: [LINKS],
  },
  {
    name: 'the interval of lost clicks has the truth too rarely',
    file: 'server/report/loss-meter.ts',
    find: 'const TAIL = 0.0125;',
    replace: 'const TAIL = 0.06;',
    tests: [LOSS],
  },
  {
    name: 'the interval of lost clicks is wider than it must be',
    file: 'server/report/loss-meter.ts',
    find: 'const TAIL = 0.0125;',
    replace: 'const TAIL = 0.0001;',
    tests: [LOSS],
  },
  {
    name: 'a repeated click of a visit counts as a lost one',
    file: 'server/report/loss-meter.ts',
    find: 'if (lost > 0) lostPerDay',
    replace: 'if (lost !== 0) lostPerDay',
    tests: [LOSS],
  },
  {
    name: 'lost clicks of robots count as those of people',
    file: 'server/report/engine/later-visits.ts',
    find: '& FLAG.robot || !isMarked',
    replace: '& 0 || !isMarked',
    tests: ['tests/server/report/gaps.test.ts'],
  },
  {
    name: 'clicks trace shows the life of another click that only names the id',
    file: 'cli/trace/find-line.ts',
    find: 'const value = owns === id ? read(record) : null;',
    replace: 'const value = read(record);',
    tests: ['tests/cli/trace.test.ts'],
  },
];

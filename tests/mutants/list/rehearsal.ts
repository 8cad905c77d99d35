/** The promise: a rehearsal notices each lost and each repeated click. */
import type { Mutant } from '../try-mutants.ts';

const VERDICT = 'tests/rehearse/verdict.test.ts';

export const REHEARSAL: readonly Mutant[] = [
  {
    name: 'rehearsal: a click that PostHog lacks is not lost',
    file: 'rehearse/night/verdict.ts',
    find: 'atPosthog.length === 0',
    replace: 'atPosthog.length < 0',
    tests: [VERDICT],
  },
  {
    name: 'rehearsal: an index that counts too much is not noticed',
    file: 'rehearse/night/verdict.ts',
    find: '...(surplus > 0 ?',
    replace: '...(surplus > 1 ?',
    tests: [VERDICT],
  },
  {
    name: 'rehearsal: a mail that arrives twice is not noticed',
    file: 'rehearse/night/verdict.ts',
    find: '[lost, twice, mailsLost, mailsTwice].every',
    replace: '[lost, twice, mailsLost].every',
    tests: [VERDICT],
  },
];

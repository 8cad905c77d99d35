/**
 * Judges the former and the present rule on invented sites with one cause and one number of clicks
 * a day (a cell of the bench `causes`). Prints a line of JSON for each site; if the variable SHOW
 * is set, also each mail of the present rule that is false, wrong or repeated.
 *
 * Run: node bench/causes-cell.ts CAUSE CLICKS FIRST-SEED SITES
 */

import { lookAt } from '../server/report/causes/look-at.ts';
import { judge, makeCase, type Rule } from '../tests/helpers/causes/judge.ts';
import { isUnusualByOldRule } from '../tests/helpers/causes/old-rule.ts';
import type { CauseName } from '../tests/helpers/causes/planted-causes.ts';
import type { Line } from './causes.ts';

const oldRule: Rule = (table, day) => ({
  facts: isUnusualByOldRule(table, day) ? [] : null,
  told: [],
});
const newRule: Rule = (table, day, before) => {
  const { changes, told } = lookAt(table, day, before);
  return { facts: changes.length > 0 ? changes : null, told };
};

const [name, clicks, firstSeed, sites] = process.argv.slice(2);
for (let i = 0; i < Number(sites); i++) {
  const site = makeCase(name as CauseName, Number(clicks), Number(firstSeed) + i);
  const verdicts = {
    old: judge(site, oldRule),
    new: judge(site, newRule, (kind, day, facts) => {
      if (process.env.SHOW)
        process.stdout.write(
          `${kind} ${name} ${clicks} ${site.seed} ${day - site.onset} ${JSON.stringify(facts)}\n`,
        );
    }),
  };
  const line: Line = { name: site.name, clicks: Number(clicks), verdicts };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

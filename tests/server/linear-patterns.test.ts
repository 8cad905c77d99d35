/**
 * A pattern that is slower than linear lets a stranger hold the event loop, which all visitors
 * share.
 */
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';
import { expect, test } from 'vitest';

type Pattern = [place: string, source: string, flags: string];

/** Upper bound of one proof on a busy machine. */
const CHECK_MS = 60_000;
/**
 * recheck tries texts at random where it does not prove. With a seed each run tries the same ones.
 * Without bounds of time for its parts it also gives the same answer on a busy machine, where it
 * would otherwise call a linear pattern slow.
 */
const TRIES = { randomSeed: 1, incubationTimeout: null, attackTimeout: null };

/**
 * @returns the literals of a file
 * @throws for a `new RegExp`, of which nothing is known before it is made
 */
function patternsOf(file: string): Pattern[] {
  const text = readFileSync(file, 'utf8');
  const patterns: Pattern[] = [];
  const placeOf = ({ start }: { start: number }) =>
    `${file}:${text.slice(0, start).split('\n').length}`;
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      patterns.push([placeOf(node), node.regex.pattern, node.regex.flags]);
    },
    NewExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      throw new Error(`${placeOf(node)}: write the pattern as a literal.`);
    },
  }).visit(parseSync(file, text).program);
  return patterns;
}

async function faultOf([place, source, flags]: Pattern): Promise<string | null> {
  const result = await check(source, flags, { timeout: CHECK_MS, ...TRIES });
  if (result.status === 'safe') return null;
  const why = result.status === 'unknown' ? result.error.kind : result.complexity.summary;
  return `${place} /${source}/${flags}: ${why}`;
}

test('no pattern of the server or the contract is slower than linear', async () => {
  const patterns = globSync('{server,contract}/**/*.ts').sort().flatMap(patternsOf);
  expect(patterns.length).toBeGreaterThan(50);
  const faults: string[] = [];
  for (const pattern of patterns) {
    const fault = await faultOf(pattern);
    if (fault) faults.push(fault);
  }
  expect(faults).toEqual([]);
});

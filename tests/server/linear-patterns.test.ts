/** A pattern that is slower than linear lets a stranger hold the event loop, which all visitors share. */
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { ADDRESSES } from '../../server/clicks/refused-log.ts';

type Pattern = [place: string, source: string, flags: string, checker?: 'automaton'];

/** Patterns that are joined from parts at run time, by the name of their constant. */
const JOINED: Record<string, RegExp> = { ADDRESSES };
/** The proof for a pattern of several hundred characters takes ten seconds, and minutes on a busy machine. */
const CHECK_MS = 300_000;
/** recheck tries texts at random where it does not prove. With a seed each run tries the same ones. */
const SEED = 1;

/** The literals of a file. @throws for a `new RegExp` that is not in JOINED */
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
      const [, name = ''] = /(?:const|let) (\w+) = $/.exec(text.slice(0, node.start)) ?? [];
      const joined = JOINED[name];
      if (!joined) throw new Error(`${placeOf(node)}: export the pattern and add it to JOINED.`);
      // recheck chooses for literals: the proof by automata takes too long for some, and cannot have look-ahead.
      patterns.push([placeOf(node), joined.source, joined.flags, 'automaton']);
    },
  }).visit(parseSync(file, text).program);
  return patterns;
}

async function faultOf([place, source, flags, checker]: Pattern): Promise<string | null> {
  const options = { timeout: CHECK_MS, randomSeed: SEED, checker: checker ?? 'auto' } as const;
  const result = await check(source, flags, options);
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
}, 600_000);

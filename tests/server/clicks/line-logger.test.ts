import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { makeLineLogger } from '../../../server/clicks/line-logger.ts';

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constant('\ud800\0\u2028"\\\n'),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
const key = fc.oneof(fc.string(), fc.constantFrom('id', 'level', 'time', 'pid'));
const anyLine = fc.dictionary(key, value, { minKeys: 1 }).filter(hasSomething);

/** A click's line is never empty; pino's would then end without a comma. */
function hasSomething(line: Record<string, unknown>): boolean {
  return Object.values(line).some((one) => one !== undefined);
}

test('a line is pino’s own, to the byte', () => {
  let written = '';
  const stream = {
    write(text: string) {
      written += text.replace(/"time":\d+/, '"time":0');
    },
  };
  const plain = pino({}, stream);
  const ours = makeLineLogger(stream);
  const take = () => {
    const text = written;
    written = '';
    return text;
  };
  fc.assert(
    fc.property(anyLine, (line) => {
      plain.info(line);
      const expected = take();
      ours.info(line);
      expect(take()).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

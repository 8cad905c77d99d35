import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { formatLine } from '../../../server/clicks/format-line.ts';

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constant('\ud800\0\u2028"\\\n'),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
const key = fc.oneof(fc.string(), fc.constantFrom('id', 'level', 'time', 'pid'));
const anyLine = fc.dictionary(key, value, { minKeys: 1 }).filter(hasSomething);

/** Never empty, like a click's line, because pino then writes no comma. */
function hasSomething(line: Record<string, unknown>): boolean {
  return Object.values(line).some((one) => one !== undefined);
}

test('a line equals pino’s own, byte for byte', () => {
  const withoutTime = (text: string) => text.replace(/"time":\d+/, '"time":0');
  let written = '';
  const logger = pino(
    {},
    {
      write(text: string) {
        written = text;
      },
    },
  );
  fc.assert(
    fc.property(anyLine, (line) => {
      logger.info(line);
      expect(withoutTime(formatLine(line))).toBe(withoutTime(written));
    }),
    { numRuns: 500 },
  );
});

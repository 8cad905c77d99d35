import fc from 'fast-check';
import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { timeOfId, uuidV7 } from '#browser/clicks/uuid-v7.ts';

const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 16, maxLength: 16 });

test('every id is a UUID of version 7 that carries its own time', () => {
  fc.assert(
    fc.property(moment, random, (now, bytes) => {
      const id = uuidV7(now, bytes);
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(7);
      expect(timeOfId(id)).toBe(now);
    }),
  );
});

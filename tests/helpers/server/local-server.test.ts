import { expect, test } from 'vitest';
import { freePort } from './local-server.ts';

test('servers that start at the same time get different ports', async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
});

/** Which errors of PostgreSQL end the start of the server, because only an operator can help. */
import { expect, test } from 'vitest';
import { endsStart, toFault } from '../../../server/database/postgres/faults.ts';

test.each([
  { what: 'a wrong password', code: '28P01', isLasting: true },
  { what: 'a user who is missing', code: '28000', isLasting: true },
  { what: 'a database that is missing', code: '3D000', isLasting: true },
  { what: 'a missing right', code: '42501', isLasting: true },
  { what: 'a statement of another session', code: '26000', isLasting: true },
  { what: 'too many connections', code: '53300', isLasting: false },
  { what: 'a server that starts', code: '57P03', isLasting: false },
  { what: 'a lock of another session', code: '55P03', isLasting: false },
  { what: 'a server that is away', code: 'ECONNREFUSED', isLasting: false },
  { what: 'an error without a code', code: undefined, isLasting: false },
])('$what ends the start: $isLasting', ({ code, isLasting }) => {
  const fault = toFault(Object.assign(new Error('of PostgreSQL'), { code }), 'db.example/site');
  expect([fault.message.includes('db.example/site'), endsStart(fault)]).toEqual([true, isLasting]);
});

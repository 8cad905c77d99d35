/** The promise: registrations are kept, encrypted, and private. */
import type { Mutant } from '../try-mutants.ts';

const AT_REST = 'tests/server/registrations/at-rest.test.ts';
const STORE = 'tests/server/registrations/store/sqlite-registrations.test.ts';

export const REGISTRATIONS: readonly Mutant[] = [
  {
    name: 'tags make one mailbox many',
    file: 'server/registrations/mail/mail-turns.ts',
    find: ".split('+')",
    replace: ".split('/')",
    tests: ['tests/server/registrations/mail/turns.test.ts'],
  },
  {
    name: 'the e-mail’s hash can be computed without the key',
    file: 'server/registrations/encryption.ts',
    find: "createHmac('sha256', key.hashKey)",
    replace: "createHmac('sha256', 'constant')",
    tests: ['tests/server/registrations/email-hash.test.ts'],
  },
  {
    name: 'two spellings of an address are two people',
    file: 'server/registrations/encryption.ts',
    find: '.toLowerCase()',
    replace: '',
    tests: ['tests/server/registrations/email-hash.test.ts'],
  },
  {
    name: 'every registration is encrypted with the same nonce',
    file: 'server/registrations/encryption.ts',
    find: 'const nonce = randomBytes(NONCE_BYTES);',
    replace: 'const nonce = Buffer.alloc(NONCE_BYTES, randomBytes(1)[0] && 1);',
    tests: [AT_REST],
  },
  {
    name: 'an encrypted registration can replace another',
    file: 'server/registrations/encryption.ts',
    find: '(id: string, keyId: string) => Buffer.from(',
    replace: '(id: string, keyId: string) => Buffer.from(keyId) ?? Buffer.from(',
    tests: [AT_REST],
  },
  {
    name: 'the length of an encrypted registration reveals the length of the name',
    file: 'server/registrations/encryption.ts',
    find: '-text.length & (PADDED_TO_BYTES - 1)',
    replace: '0 * PADDED_TO_BYTES',
    tests: [AT_REST],
  },
  {
    name: 'a server that lost its keys makes new ones',
    file: 'server/registrations/key-ring.ts',
    find: 'if (isNeeded()) {',
    replace: 'if (isNeeded() && file === "") {',
    tests: [AT_REST],
  },
  {
    name: 'other users of the machine can read the registrations',
    file: 'server/registrations/store/sqlite-registrations.ts',
    find: 'chmodSync(path, 0o600);',
    replace: 'chmodSync(path, 0o644);',
    tests: [STORE],
  },
  {
    name: 'a registration is confirmed before the disk has it',
    file: 'server/registrations/store/sqlite-registrations.ts',
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = OFF',
    tests: [STORE],
  },
  {
    name: 'a deleted registration stays in the file',
    file: 'server/registrations/store/sqlite-registrations.ts',
    find: 'PRAGMA secure_delete = ON',
    replace: 'PRAGMA secure_delete = OFF',
    tests: [STORE],
  },
  {
    name: 'a deleted registration stays in the journal',
    file: 'server/registrations/store/sqlite-registrations.ts',
    find: "if (removed.length > 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');",
    replace: '',
    tests: [STORE],
  },
  {
    name: 'two servers send one mail',
    file: 'server/registrations/store/sqlite-outbox.ts',
    find: 'WHERE next_at <= ? ORDER BY',
    replace: 'WHERE next_at <= ? OR owner IS NOT NULL ORDER BY',
    tests: [STORE],
  },
  {
    name: 'the answer to a known address is quicker than to a new one',
    file: 'server/registrations/register.ts',
    find: 'const ANSWER_MS = 100;',
    replace: 'const ANSWER_MS = 0;',
    tests: ['tests/server/registrations/register.test.ts'],
  },
  {
    name: 'the statistics show the exact number of registrations',
    file: 'server/registrations/registrations.ts',
    find: 'total - (total % SHOWN_IN_STEPS_OF)',
    replace: 'total + 0 * SHOWN_IN_STEPS_OF',
    tests: ['tests/server/stats/stats.test.ts'],
  },
  {
    name: 'one network’s fake registrations delay all mails',
    file: 'server/registrations/mail/mail-turns.ts',
    find: 'Math.max(0, current - AT_ONCE) * STEP_MS',
    replace: 'Math.max(0, current - AT_ONCE) * 0 * STEP_MS',
    tests: ['tests/server/registrations/mail/turns.test.ts'],
  },
  {
    name: 'a mail server without TLS gets the addresses',
    file: 'server/registrations/mail/transport.ts',
    find: '...(!isFree && { requireTLS: true }),',
    replace: '...(!isFree && { requireTLS: false }),',
    tests: ['tests/server/registrations/mail/send-mails.test.ts'],
  },
];

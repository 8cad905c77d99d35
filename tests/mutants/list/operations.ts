/** Backups, retention and the clock. */
import type { Mutant } from '../try-mutants.ts';

const BACKUP = 'tests/cli/backup.test.ts';
const CLOCK = 'tests/server/clock/clock-guard.test.ts';
const RETENTION = 'tests/server/clicks/retention/click-retention.test.ts';

export const OPERATIONS: readonly Mutant[] = [
  {
    name: 'a backup copies the registrations without their journal',
    file: 'cli/copy-database.ts',
    find: "db.prepare('VACUUM INTO ?').run(to);",
    replace: "process.getBuiltinModule('node:fs').copyFileSync(from, to);",
    tests: [BACKUP],
    title: 'under load',
  },
  {
    name: 'a backup ends with an incomplete line',
    file: 'cli/copy-file.ts',
    find: 'if (wholeLines) ftruncateSync(target, end);',
    replace: 'if (wholeLines && end < 0) ftruncateSync(target, end);',
    tests: [BACKUP],
  },
  {
    name: 'a backup has the keys without --with-keys',
    file: 'cli/make-backup.ts',
    find: 'if (withKeys) copyKeys',
    replace: 'if (withKeys || target) copyKeys',
    tests: [BACKUP],
  },
  {
    name: 'a restore accepts changed files',
    file: 'cli/restore-backup.ts',
    find: 'else if (found.sha256 !== sha256)',
    replace: 'else if (found.sha256.length !== sha256.length)',
    tests: [BACKUP],
    title: 'changed byte',
  },
  {
    name: 'a restore overwrites data',
    file: 'cli/restore-backup.ts',
    find: '    refuseExisting(files, manifest, dataDir);\n',
    replace: '',
    tests: [BACKUP],
    title: 'changes nothing in a folder with data',
  },
  {
    name: 'a clock that has jumped ahead deletes registrations',
    file: 'server/registrations/retention.ts',
    find: 'const now = await clock.now();',
    replace: 'const now = (await clock.now(), Date.now());',
    tests: [CLOCK],
  },
  {
    name: 'a running server trusts a clock that jumps a year',
    file: 'server/clock/clock-guard.ts',
    find: 'export const RUNNING_TOLERANCE_MS = DAY_MS;',
    replace: 'export const RUNNING_TOLERANCE_MS = 1000 * DAY_MS;',
    tests: [CLOCK],
  },
  {
    name: 'a server trusts any clock when it starts',
    file: 'server/clock/server-clock.ts',
    find: 'const DOWNTIME_TOLERANCE_MS = 7 *',
    replace: 'const DOWNTIME_TOLERANCE_MS = 70000 *',
    tests: [CLOCK],
  },
  {
    name: 'a mail expires while the clock is ahead',
    file: 'server/registrations/mail/send-mails.ts',
    find: 'const now = trustedNow();',
    replace: 'const now = trustedNow() ?? Number.MAX_VALUE;',
    tests: [CLOCK],
    title: 'mail',
  },
  {
    name: 'retention deletes a file for its oldest line',
    file: 'server/clicks/retention/click-retention.ts',
    find: 'summary.newestMs >= deleteBefore',
    replace: '(summary.oldestMs ?? 0) >= deleteBefore',
    tests: [RETENTION],
  },
  {
    name: 'retention deletes lines without a time of receipt',
    file: 'server/clicks/retention/click-retention.ts',
    find: 'if (summary.undated > 0)',
    replace: 'if (summary.undated > 1)',
    tests: [RETENTION],
  },
  {
    name: 'an index without the deleted clicks is not reported',
    file: 'server/clicks/retention/deleted-clicks.ts',
    find: 'if (clicks === 0) return null;',
    replace: 'if (clicks >= 0) return null;',
    tests: [RETENTION],
  },
  {
    name: 'the retention of rejected bodies also deletes new ones',
    file: 'server/clicks/retention/rejected-retention.ts',
    find: 'Date.parse(JSON.parse(line).received_at) < before',
    replace: 'Date.parse(JSON.parse(line).received_at) < before + 30 * 86_400_000',
    tests: [RETENTION],
  },
];

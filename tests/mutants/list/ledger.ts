/** The promise: an acknowledged click is on the disk, and a restart can read it. */
import type { Mutant } from '../try-mutants.ts';

const DURABILITY = 'tests/server/clicks/durability.test.ts';
const CATCH_UP = 'tests/server/clicks/catch-up.test.ts';
const CHANGED = 'tests/server/clicks/ledger/changed-ledger.test.ts';

export const LEDGER: readonly Mutant[] = [
  {
    name: 'a click is confirmed before the disk has it',
    file: 'server/clicks/ledger/ledger.ts',
    find: 'await syncData(file.fd);\n        checkWritten',
    replace: 'checkWritten',
    tests: [DURABILITY],
  },
  {
    name: 'a new ledger is lost after a power cut',
    file: 'server/clicks/ledger/ledger-file.ts',
    find: 'if (size === 0n) syncFolder(dirname(path), disk);',
    replace: '',
    tests: [DURABILITY],
  },
  {
    name: 'an incomplete line of a failed write swallows the next click',
    file: 'server/clicks/ledger/ledger.ts',
    find: 'if (dirty) repair();\n      before =',
    replace: 'before =',
    tests: [DURABILITY],
  },
  {
    name: 'a failed sync loses the last acknowledged page',
    file: 'server/clicks/ledger/ledger.ts',
    find: '    rewriteLastBlock(file, disk);\n',
    replace: '',
    tests: [DURABILITY],
  },
  {
    name: 'a click is confirmed although the ledger was cut meanwhile',
    file: 'server/clicks/ledger/ledger.ts',
    find: 'checkWritten(file, text.length, disk);',
    replace: '',
    tests: [CHANGED],
  },
  {
    name: 'the server continues a deleted ledger, which is lost after a restart',
    file: 'server/clicks/ledger/ledger-file.ts',
    find: "if (nlink === 0n) return 'deleted';",
    replace: 'if (nlink === 0n) return null;',
    tests: [CHANGED],
  },
  {
    name: 'a cut ledger is filled up with zeros',
    file: 'server/clicks/ledger/ledger.ts',
    find: 'if (disk.fstatSync(fd).size > end) disk.ftruncateSync(fd, end);',
    replace: 'disk.ftruncateSync(fd, end);',
    tests: [CHANGED],
  },
  {
    name: 'another file with the same inode is read from the old position',
    file: 'server/clicks/ledger/find-position.ts',
    find: "if (place.first !== '' && firstIdOf(file) !== place.first) return false;",
    replace: '',
    tests: [CATCH_UP],
  },
  {
    name: 'a copy of a ledger doubles the report',
    file: 'server/clicks/ledger/read-ledger.ts',
    find: 'ROTATED.test(file.slice(path.length)) &&',
    replace: 'ROTATED.flags !== "x" &&',
    tests: [CATCH_UP],
  },
];

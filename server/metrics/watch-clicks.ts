/** Measures the parts of the click path. Each wrapper does what the wrapped part does, and counts. */
import type { ClickIndex } from '../clicks/index/click-index.ts';
import type { Disk } from '../clicks/ledger/disk.ts';
import type { LedgerPosition } from '../clicks/ledger/ledger.ts';
import type { ClickOutcome } from '../clicks/record-clicks.ts';
import type { RejectedBodies } from '../clicks/rejected-bodies.ts';
import type { ClickWatch } from '../clicks/watch.ts';
import { secondsSince } from './bucket-tally.ts';
import { addTo, OTHER, type Tallies, UNKNOWN } from './tallies.ts';

export function watchClicks(tallies: Tallies): ClickWatch {
  const { clicks } = tallies;
  const unknown = clicks.get(UNKNOWN);
  return {
    disk: (disk) => timeDisk(disk, tallies),
    commits: (clickIndex) => timeCommits(clickIndex, tallies),
    rejectedBodies: (bodies) => countRejected(bodies, tallies),
    settled({ event, via, dropped }, outcome: ClickOutcome) {
      const tally = clicks.get(event) ?? unknown;
      if (tally) tally[via][outcome] += 1;
      // Once per click: the browser repeats it with the same number.
      if (dropped !== undefined && outcome === 'logged') tallies.droppedByBrowsers += dropped;
    },
  };
}

function timeDisk(disk: Disk, { ledgerWrite, ledgerSync }: Tallies): Disk {
  const writeSync = (...args: Parameters<Disk['writeSync']>) => {
    const started = performance.now();
    const written = disk.writeSync(...args);
    ledgerWrite.observe(secondsSince(started));
    return written;
  };
  const fdatasync = (fd: number, done: (cause: NodeJS.ErrnoException | null) => void) => {
    const started = performance.now();
    disk.fdatasync(fd, (cause) => {
      ledgerSync.observe(secondsSince(started));
      done(cause);
    });
  };
  return { ...disk, writeSync, fdatasync } as Disk;
}

/** Measures the index without the ledger's write, which happens in the middle. */
function timeCommits(clickIndex: ClickIndex, { indexCommit, groupSize }: Tallies): ClickIndex {
  return {
    ...clickIndex,
    async commitGroup(rows, persist) {
      const started = performance.now();
      let ledgerS = 0;
      const timedPersist = async (fresh: readonly boolean[]): Promise<LedgerPosition> => {
        const begun = performance.now();
        try {
          return await persist(fresh);
        } finally {
          ledgerS = secondsSince(begun);
        }
      };
      try {
        return await clickIndex.commitGroup(rows, timedPersist);
      } finally {
        // A group without clicks is a check of the disk.
        if (rows.length > 0) {
          groupSize.observe(rows.length);
          indexCommit.observe(secondsSince(started) - ledgerS);
        }
      }
    },
  };
}

function countRejected(bodies: RejectedBodies, { rejected }: Tallies): RejectedBodies {
  return {
    ...bodies,
    add(body) {
      addTo(rejected, rejected.has(body.reason) ? body.reason : OTHER);
      bodies.add(body);
    },
  };
}

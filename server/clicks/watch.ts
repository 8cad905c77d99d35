/** The moments of the click path that an observer can watch, such as the metrics. The click path itself knows no metrics. */
import type { ClickLine } from './click-line.ts';
import type { ClickIndex } from './index/click-index.ts';
import type { Disk } from './ledger/disk.ts';
import type { ClickOutcome } from './record-clicks.ts';
import type { RejectedBodies } from './rejected-bodies.ts';

export interface ClickWatch {
  /** Wraps the ledger's disk. */
  disk(disk: Disk): Disk;
  /** Wraps the index for the recorder's groups, without the catching up. */
  commits(clickIndex: ClickIndex): ClickIndex;
  rejectedBodies(bodies: RejectedBodies): RejectedBodies;
  /** Called for each valid click, when its answer is known. */
  settled(line: ClickLine, outcome: ClickOutcome): void;
}

/** Observes nothing. */
export const UNWATCHED: ClickWatch = {
  disk: (disk) => disk,
  commits: (clickIndex) => clickIndex,
  rejectedBodies: (bodies) => bodies,
  settled() {},
};

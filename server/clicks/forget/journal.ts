/**
 * The journal of `clicks forget`: the lines that it is about to replace in one file. A crash in the middle may leave half a
 * line. The next server or the next run then writes the rest. The journal has nothing of the visitor.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { inodeOf } from '../ledger/find-position.ts';
import { parseTombstone } from '../ledger/tombstone.ts';
import { noteDeletion } from '../retention/deleted-clicks.ts';
import { type Patch, patchFile } from './patch.ts';

const journalSchema = z.object({
  /** The file's name at that time, and its inode, since rotation renames it. */
  file: z.string(),
  inode: z.string(),
  forgotten_at: z.string(),
  patches: z.array(z.object({ offset: z.int().nonnegative(), to: z.string() })),
});

/** Paths in one data folder. */
export interface JournalFiles {
  journal: string;
  /** Gets a note for each file, so that reports can explain the difference. */
  notes: string;
}

/**
 * Replaces lines of a file so that a crash loses nothing.
 *
 * @param forgottenAt ISO 8601
 * @returns the patches whose lines were still there
 * @throws the file system's error
 */
export function patchSafely(
  files: JournalFiles,
  path: string,
  patches: readonly Patch[],
  forgottenAt: string,
): Patch[] {
  const record = {
    file: basename(path),
    inode: inodeOf(path),
    forgotten_at: forgottenAt,
    patches: patches.map(({ offset, to }) => ({ offset, to })),
  };
  writeJournal(files.journal, JSON.stringify(record));
  const done = patchFile(path, patches);
  note(files.notes, path, done, forgottenAt);
  removeJournal(files.journal);
  return done;
}

/**
 * Completes what a crash has interrupted.
 *
 * @param paths the files that may be meant
 * @returns a sentence for the operator; null: there is no journal
 */
export function finishJournal(files: JournalFiles, paths: readonly string[]): string | null {
  if (!existsSync(files.journal)) return null;
  const record = journalSchema.parse(JSON.parse(readFileSync(files.journal, 'utf8')));
  const path = paths.find((one) => inodeOf(one) === record.inode);
  const { file, forgotten_at } = record;
  if (path) {
    const done = patchFile(
      path,
      record.patches.map((patch) => ({ ...patch, from: null })),
    );
    note(files.notes, path, done, forgotten_at);
  }
  removeJournal(files.journal);
  if (path) return `Completed the forgetting of clicks in ${path}, which a crash had interrupted`;
  return `The forgetting of clicks in ${file} was interrupted, and the file is gone or packed now: run the same "clicks forget" again`;
}

/** A journal that is not complete was never used, so its rename comes last. */
function writeJournal(path: string, text: string): void {
  const fresh = `${path}.new`;
  const fd = openSync(fresh, 'w', 0o640);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, path);
  syncFolder(dirname(path));
}

function removeJournal(path: string): void {
  rmSync(path);
  syncFolder(dirname(path));
}

export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Notes the clicks among the replaced lines. The same note may come twice after a crash; its reader joins them. */
export function note(
  notes: string,
  path: string,
  patches: readonly Pick<Patch, 'to'>[],
  forgottenAt: string,
): void {
  const stones = patches.flatMap(({ to }) => parseTombstone(to) ?? []);
  const times = stones.map(({ received_at }) => received_at).sort();
  const [oldest] = times;
  const newest = times.at(-1);
  if (!oldest || !newest) return;
  const robots = stones.filter(({ is_bot }) => is_bot).length;
  noteDeletion(notes, {
    deleted_at: forgottenAt,
    file: basename(path),
    clicks: stones.length - robots,
    robots,
    oldest,
    newest,
    reason: 'forgotten',
  });
}

/**
 * Reads the new lines of the click logs of all servers, as an operator's program that follows the
 * files.
 */
import { closeSync, globSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A line of clicks-DATE.jsonl, as far as the simulation reads it. */
export interface LoggedLine {
  id: string;
  event: string;
  visit_id?: string;
  timestamp?: string;
  /** A forgotten click's line has none. */
  user_agent?: string;
  is_automated?: boolean;
  is_scripted?: boolean;
  duplicate?: true;
}

export type LogReader = ReturnType<typeof openLogReader>;

export function openLogReader(folder: string) {
  const sizes = new Map<string, number>();
  const state = {
    /** Lines that are no JSON, because a full disk has cut them. */
    cut: 0,
    /** Returns the whole lines that were appended since the last call. */
    read(): LoggedLine[] {
      const files = globSync('*/clicks-*.jsonl', { cwd: folder }).sort();
      return files.flatMap((name) => readOn(join(folder, name)));
    },
  };
  const readOn = (file: string): LoggedLine[] => {
    const from = sizes.get(file) ?? 0;
    const { size } = statSync(file);
    if (size === from) return [];
    const bytes = Buffer.alloc(size - from);
    const fd = openSync(file, 'r');
    readSync(fd, bytes, 0, bytes.length, from);
    closeSync(fd);
    const end = bytes.lastIndexOf('\n') + 1;
    sizes.set(file, from + end);
    const lines = bytes.subarray(0, end).toString().split('\n').filter(Boolean);
    return lines.flatMap(parse);
  };
  const parse = (line: string): LoggedLine[] => {
    try {
      const read = JSON.parse(line);
      // `site forget` has blanked a piece of a line, which had no id any more.
      return read.id ? [read] : [];
    } catch {
      state.cut += 1;
      return [];
    }
  };
  return state;
}

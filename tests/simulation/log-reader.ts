/** Follows the click logs of all servers, like an operator's `tail -f`. */
import { closeSync, globSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a line of clicks-DATE.jsonl that the simulation reads. */
export interface LoggedLine {
  id: string;
  event: string;
  visit_id?: string;
  timestamp?: string;
  /** Undefined in a line that `site forget` has emptied. */
  user_agent?: string;
  is_automated?: boolean;
  is_scripted?: boolean;
  duplicate?: true;
}

export type LogReader = ReturnType<typeof openLogReader>;

export function openLogReader(folder: string) {
  const sizes = new Map<string, number>();
  const state = {
    /** Number of lines that are not JSON. Only a full disk may have cut them. */
    cut: 0,
    /** Returns the complete lines that were appended since the last call. */
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
      // Pieces of lines that `site forget` has emptied have no id. They are left out.
      return read.id ? [read] : [];
    } catch {
      state.cut += 1;
      return [];
    }
  };
  return state;
}

/**
 * Checks each line that a server of a test writes: the form, by the published schemas, and that the server's own log has
 * nothing of a visitor. Tests plant visitors only with such data.
 */
import { deepEqual } from 'node:assert/strict';
import { printedLineSchema } from '#contract/click-line.schema.ts';
import { logLineSchema } from '#contract/log-line.schema.ts';

/** Addresses for documentation, e-mail addresses, browsers, and words of the tests' visitors. */
export const PLANTED =
  /203\.0\.113\.|198\.51\.100\.|2001:db8:|\w@[\w-]+\.(?:example|org|com)|Mozilla\/\d|plant(?:ed|ina|ova)|Androva|clinic-7/i;

const MOST_FAULTS = 5;

export interface LineCheck {
  /** Lines of standard output, which may end in the middle of one. */
  add(text: string): void;
  /** Number of lines until now. */
  count(): number;
  /** @throws an AssertionError that shows the first faults. An incomplete last line is none: the server may have been killed */
  expectClean(): void;
}

export function checkLines(): LineCheck {
  const faults: string[] = [];
  let rest = '';
  let checked = 0;
  return {
    add(text) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      checked += lines.length;
      for (const line of lines) {
        const fault = faults.length < MOST_FAULTS ? faultOf(line) : null;
        if (fault) faults.push(fault);
      }
    },
    count: () => checked,
    expectClean() {
      deepEqual(faults, [], 'A server has written lines with faults');
    },
  };
}

/** @returns what is wrong with the line; null: nothing */
export function faultOf(line: string): string | null {
  const record = parse(line);
  if (typeof record !== 'object' || record === null) return `not JSON: ${line}`;
  const isLog = 'msg' in record;
  const parsed = (isLog ? logLineSchema : printedLineSchema).safeParse(record);
  if (!parsed.success) return `${parsed.error.issues.map((one) => JSON.stringify(one))}: ${line}`;
  const [planted] = (isLog && PLANTED.exec(line)) || [];
  return planted ? `the log has "${planted}": ${line}` : null;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

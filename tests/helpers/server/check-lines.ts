/**
 * Checks each line that a server of a test writes: its form, and that the server's own log has
 * nothing of a visitor. Tests plant visitors only with such data.
 */
import { deepEqual } from 'node:assert/strict';
import { z } from 'zod';
import { CLICK_LINE_FIELDS } from '../../../server/clicks/import-clicks.ts';

const { id, event, received_at, ip, remote_ip, ...others } = CLICK_LINE_FIELDS;
const { level, time, pid, hostname, req_id, duplicate } = others;
const pinoFields = { level, time, pid, hostname };
/** A click's line on standard output, and one that repeats a forgotten click. */
const printedLineSchema = z.union([
  z.strictObject({ id, event, received_at, ...others }),
  z.strictObject({ ...pinoFields, id, event, received_at, duplicate }),
]);

const text = z.string();
/**
 * pino's form of an Error, perhaps with its cause. Drivers of databases add fields of their own.
 */
const err = z.looseObject({ type: text, message: text, stack: text });
/** A line of the server's own log. */
const logLineSchema = z.strictObject({
  ...pinoFields,
  msg: text,
  err: err.optional(),
  code: text.optional(),
  method: text.optional(),
  route: text.optional(),
  req_id: req_id.optional(),
  fields: z.array(text).optional(),
  reason: text.nullish(),
  mail: text.optional(),
  times: z.number().optional(),
  // Of somebody who gave ADMIN_PASSWORD, or a wrong one.
  remote_ip: text.nullish(),
});

/** Addresses for documentation, e-mail addresses, browsers, and words of the tests' visitors. */
export const PLANTED =
  /203\.0\.113\.|198\.51\.100\.|2001:db8:|\w@[\w-]+\.(?:example|org|com)|Mozilla\/\d|plant(?:ed|ina|ova)|Androva|clinic-7/i;

const MOST_FAULTS = 5;

export function checkLines() {
  const faults: string[] = [];
  let rest = '';
  return {
    /** Lines of standard output, which may end in the middle of one. */
    add(text: string) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const fault = faults.length < MOST_FAULTS ? faultOf(line) : null;
        if (fault) faults.push(fault);
      }
    },
    /**
     * @throws an AssertionError that shows the first faults. An incomplete last line is none: the
     * server may have been killed
     */
    expectClean() {
      deepEqual(faults, [], 'A server has written lines with faults');
    },
  };
}

/** @returns what is wrong with the line; null: nothing */
function faultOf(line: string): string | null {
  const record = parse(line);
  if (typeof record !== 'object' || record === null) return `not JSON: ${line}`;
  const isLog = 'msg' in record;
  const parsed = (isLog ? logLineSchema : printedLineSchema).safeParse(record);
  if (!parsed.success) return `${parsed.error.issues.map((one) => JSON.stringify(one))}: ${line}`;
  const [planted] = (isLog && PLANTED.exec(line.replace(/"remote_ip":"[^"]+"/, ''))) || [];
  return planted ? `the log has "${planted}": ${line}` : null;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

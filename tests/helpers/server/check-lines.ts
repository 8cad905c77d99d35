/**
 * Checks each line that a test's server writes to standard output: its form, and that the server's
 * own log has no data of a visitor.
 */
import { deepEqual } from 'node:assert/strict';
import { z } from 'zod';
import { CLICK_LINE_FIELDS } from '../../../server/clicks/import-clicks.ts';

const { id, event, received_at, ip, remote_ip, ...others } = CLICK_LINE_FIELDS;
const { level, time, pid, hostname, req_id, duplicate } = others;
const pinoFields = { level, time, pid, hostname };
/** A line of a click on standard output: whole, or of a repeated click that was forgotten. */
const printedLineSchema = z.union([
  z.strictObject({ id, event, received_at, ...others }),
  z.strictObject({ ...pinoFields, id, event, received_at, duplicate }),
]);

const text = z.string();
/** An Error in pino's form. It may have a cause, and fields of a database's driver. */
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
  // The address of somebody who gave a password for the operators' pages.
  remote_ip: text.nullish(),
});

/**
 * Matches the data of visitors in tests: IP addresses reserved for documentation, e-mail addresses,
 * user agents, names, and a ref. Tests give visitors only such data, so that it can be found.
 */
export const PLANTED =
  /203\.0\.113\.|198\.51\.100\.|2001:db8:|\w@[\w-]+\.(?:example|org|com)|Mozilla\/\d|plant(?:ed|ina|ova)|Androva|clinic-7/i;

const MOST_FAULTS = 5;

/** Creates a checker of the lines of one server. */
export function checkLines() {
  const faults: string[] = [];
  let rest = '';
  return {
    /** Checks a piece of standard output, which may end in the middle of a line. */
    add(text: string) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const fault = faults.length < MOST_FAULTS ? faultOf(line) : null;
        if (fault) faults.push(fault);
      }
    },
    /**
     * Expects that all lines so far are correct. An incomplete last line is allowed, because the
     * server may have been killed.
     *
     * @throws an AssertionError with the first faults
     */
    expectClean() {
      deepEqual(faults, [], 'A server has written lines with faults');
    },
  };
}

/** Returns what is wrong with a line; null if it is correct. */
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

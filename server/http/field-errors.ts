/** zod's issues -> one message per field. */

export interface Fault {
  /** From the body down to the value at fault; empty for the body itself. */
  path: readonly PropertyKey[];
  message: string;
}

/** @returns the first fault of each top field; `body` when the whole is not an object */
export function fieldFaults(faults: readonly Fault[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of faults) {
    const field = String(path[0] ?? '') || 'body';
    fields[field] ??= field === 'body' ? 'must be a JSON object' : message;
  }
  return fields;
}

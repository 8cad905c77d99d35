/** zod's issues -> one message per field. */

export interface FieldError {
  /** From the body down to the value that is wrong; empty for the body itself. */
  path: readonly PropertyKey[];
  message: string;
}

/** @returns the first message of each top field; `body` when the whole is not an object */
export function fieldErrors(errors: readonly FieldError[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of errors) {
    const field = String(path[0] ?? '') || 'body';
    fields[field] ??= field === 'body' ? 'must be a JSON object' : message;
  }
  return fields;
}

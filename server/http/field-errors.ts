/** Converts zod's issues to one message per field. */

export interface FieldError {
  /** Path from the body to the invalid value; empty for the body itself. */
  path: readonly PropertyKey[];
  message: string;
}

/** @returns the first message of each top-level field; `body` if the body is not an object */
export function fieldErrors(errors: readonly FieldError[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of errors) {
    const field = String(path[0] ?? '') || 'body';
    fields[field] ??= field === 'body' ? 'must be a JSON object' : message;
  }
  return fields;
}

/** Checks a request's values with zod, and converts its issues to one message per field. */
import * as z from 'zod/mini';
import { HttpError } from './http-error.ts';

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

/** @throws HttpError 400 with the invalid fields */
export function readValid<T extends z.core.$ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, 'validation_failed', 'Please check the marked fields.', {
    fields: fieldErrors(parsed.error.issues),
  });
}

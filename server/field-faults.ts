/** zod's issues -> one message per field. */
import type { z } from 'zod';

/** @returns the first fault of each top field; `body` when the whole is not an object */
export function fieldFaults(error: z.ZodError): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const field = String(path[0] ?? 'body');
    faults[field] ??= field === 'body' ? 'must be a JSON object' : message;
  }
  return faults;
}

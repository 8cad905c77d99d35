/** What every failed API call answers. */
import { z } from 'zod';

export const errorSchema = z.object({
  error: z.object({
    /** Stable, for programs: `validation_failed`, `not_found`, … */
    code: z.string(),
    /** For people: what is wrong and what to do about it. */
    message: z.string(),
    /** One message per field that was refused. */
    fields: z.record(z.string(), z.string()).optional(),
  }),
});
export type ErrorAnswer = z.infer<typeof errorSchema>;

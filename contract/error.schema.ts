/** Body of every API error. */
import { z } from 'zod';

export const errorSchema = z.object({
  error: z.object({
    /** Stable, for programs: `validation_failed`, `not_found`, … */
    code: z.string(),
    /** For people: the fault and the remedy. */
    message: z.string(),
    /** One message per invalid field. */
    fields: z.record(z.string(), z.string()).optional(),
  }),
});
export type ErrorAnswer = z.infer<typeof errorSchema>;

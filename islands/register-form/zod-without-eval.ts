/**
 * Imported before any schema is: zod would otherwise try whether it may compile code, which the content security
 * policy refuses and reports as a violation.
 */
import { config } from 'zod/mini';

config({ jitless: true });

/**
 * Must be imported before any schema. Otherwise zod tries to compile code, which the content security policy refuses
 * and reports as a violation.
 */
import { config } from 'zod/mini';

config({ jitless: true });

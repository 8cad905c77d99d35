/**
 * Reads HTML forms, which browsers send without script. Only scopes that call `readForms` accept
 * them.
 */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const FORM = 'application/x-www-form-urlencoded';
/** Upper bound for a form's body. */
export const MAX_FORM_BYTES = 8 * 1024;

/** Makes the routes of this scope accept forms. */
export async function readForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
}

/** Whether the request's body is a form. */
export const isForm = ({ mediaType }: FastifyRequest): boolean => mediaType === FORM;

/**
 * Returns the fields of a form. Of repeated fields the first one counts, as everywhere on the site.
 */
export const formFields = ({ body }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(body) as Record<string, string | string[]>).map(([name, value]) => [
      name,
      [value].flat()[0] ?? '',
    ]),
  );

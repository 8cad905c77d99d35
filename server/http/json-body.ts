/** Parses bodies. The schemas drop unknown keys. */
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The unchanged body, for the file of rejected bodies; null until it is read. */
    bodyText: string | null;
  }
}

/** The type of every body, for a route that takes them all; a pattern, because Fastify does not find its own `*` again. */
export const ANY_TYPE = /^/;

/** Accepts JSON of these content types, and no other bodies. */
export function readJsonBodies(app: FastifyInstance, types = ['application/json']): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyText', null);
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = String(text);
    let body: unknown;
    try {
      body = JSON.parse(request.bodyText);
    } catch (cause) {
      done(new HttpError(400, 'malformed_json', 'The body is not valid JSON.', { cause }));
      return;
    }
    done(null, body);
  });
}

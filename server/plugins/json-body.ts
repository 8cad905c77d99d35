/** JSON bodies as text, parsed by the language itself: the schemas drop every key they do not name. */
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../http-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for the quarantine; null until it has been read. */
    bodyText: string | null;
  }
}

/** Takes `application/json` and nothing else, within the given instance. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyText', null);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = text as string;
    try {
      done(null, JSON.parse(text as string));
    } catch (cause) {
      done(new HttpError(400, 'malformed_json', 'The body is not valid JSON.', { cause }));
    }
  });
}

/** JSON bodies as text, parsed by the language itself: the schemas drop every key they do not name. */
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for the file of rejected bodies; null until it has been read. */
    bodyText: string | null;
  }
}

/** Takes JSON of these types, and nothing else, within the given instance. */
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

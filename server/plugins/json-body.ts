/** JSON bodies as text, parsed by the language itself: the schemas drop every key they do not name. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../http-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for the quarantine; null until it has been read. */
    bodyText: string | null;
  }
}

/** Takes JSON of these types and nothing else, within the given instance, up to so many bytes. */
export function readJsonBodies(
  app: FastifyInstance,
  maxBytes: number,
  types = ['application/json'],
): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyText', null);
  app.addContentTypeParser(types, (request, payload, done) => {
    readText(payload, maxBytes, (error, text) => {
      if (error) return done(error);
      request.bodyText = text;
      try {
        done(null, JSON.parse(text));
      } catch (cause) {
        done(new HttpError(400, 'malformed_json', 'The body is not valid JSON.', { cause }));
      }
    });
  });
}

type OnRead = (error: Error | null, text: string) => void;

/**
 * A body is nearly always one piece. Fastify's own reader, made for every kind of stream, costs a click more than
 * its validation does.
 */
function readText(payload: IncomingMessage, maxBytes: number, onRead: OnRead): void {
  let bytes: Buffer | null = null;
  let length = 0;
  let finished = false;
  const finish: OnRead = (error, text) => {
    if (finished) return;
    finished = true;
    onRead(error, text);
  };
  if (Number(payload.headers['content-length']) > maxBytes) {
    finish(tooLarge(), '');
    return;
  }
  payload.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) finish(tooLarge(), '');
    else bytes = bytes === null ? chunk : Buffer.concat([bytes, chunk]);
  });
  payload.on('end', () => finish(null, bytes?.toString() ?? ''));
  payload.on('error', (cause) => {
    finish(new HttpError(400, 'bad_request', 'The body ended early.', { cause }), '');
  });
}

const tooLarge = () => new HttpError(413, 'too_large', 'The body is too large.');

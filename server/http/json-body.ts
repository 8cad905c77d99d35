/** JSON bodies as text, parsed by the language itself: the schemas drop every key they do not name. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { HttpError } from './http-error.ts';

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
    const parse: OnRead = (error, text) => {
      if (error) return done(error);
      request.bodyText = text;
      try {
        done(null, JSON.parse(text));
      } catch (cause) {
        done(new HttpError(400, 'malformed_json', 'The body is not valid JSON.', { cause }));
      }
    };
    if (request.bodyText !== null) parse(null, request.bodyText);
    else if (lengthOf(payload) > maxBytes) parse(tooLarge(), '');
    else readText(payload, maxBytes, parse);
  });
}

/**
 * A hook that reads what is surely JSON before Fastify's own way to a body begins, and shows it to `take`. What `take`
 * leaves, and whatever else there is, goes that way, with the text that was read.
 *
 * @param take true: it answers the request
 */
export function readEarly(
  maxBytes: number,
  take: (body: unknown, request: FastifyRequest, reply: FastifyReply) => boolean,
): onRequestHookHandler {
  return (request, reply, done) => {
    const length = lengthOf(request.raw);
    const isJson = request.raw.headers['content-type'] === 'application/json';
    if (!isJson || !(length > 0 && length <= maxBytes)) {
      done();
      return;
    }
    readText(request.raw, maxBytes, (error, text) => {
      if (error) return done(error);
      request.bodyText = text;
      let isTaken: boolean;
      try {
        isTaken = take(parseOrNull(text), request, reply);
      } catch (cause) {
        // Thrown on, it would leave an event handler and end the process.
        return done(cause as Error);
      }
      if (!isTaken) done();
    });
  };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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

/** NaN where it is not said. */
const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length']);

const tooLarge = () => new HttpError(413, 'too_large', 'The body is too large.');

/** Sends a request on a new connection, and knows at which stage it failed. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';
import { errorSchema } from '#contract/error.schema.ts';
import { CanaryError, type Stage } from './stages.ts';

interface Post {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Ends the request. */
  signal: AbortSignal;
}

interface Answer {
  headers: IncomingMessage['headers'];
  /** When the site's certificate ends, in milliseconds since 1970; null: no TLS. */
  certificateEndsMs: number | null;
}

/** Resolves with an answer of status 200. @throws CanaryError */
export async function postOnce(post: Post): Promise<Answer> {
  const { url, signal } = post;
  let stage: Stage = 'name resolution';
  const reach = (next: Stage) => {
    stage = next;
  };
  let answer: IncomingMessage;
  let text: string;
  let certificateEndsMs: number | null;
  try {
    await Promise.race([lookup(url.hostname.replace(/^\[|\]$/g, '')), whenAborted(signal)]);
    reach('connection');
    answer = await send(post, reach);
    certificateEndsMs = endOfCertificate(answer);
    text = (await Array.fromAsync(answer)).join('');
  } catch (cause) {
    const why = signal.aborted ? 'It took too long.' : describe(stage, url, cause);
    throw new CanaryError(stage, why, cause);
  }
  if (answer.statusCode === 200) return { headers: answer.headers, certificateEndsMs };
  throw statusError(answer.statusCode ?? 0, text);
}

/** Called before the answer is read, because a closed connection has no certificate. */
function endOfCertificate({ socket }: IncomingMessage): number | null {
  return socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null;
}

/** A new connection each time, because TLS is part of the test. */
async function send(post: Post, reach: (stage: Stage) => void): Promise<IncomingMessage> {
  const { url, headers, body, signal } = post;
  const isTls = url.protocol === 'https:';
  const request = isTls ? tlsRequest : plainRequest;
  const sent = request(url, { method: 'POST', headers, signal, agent: false });
  sent.on('socket', (socket) => {
    socket.once('connect', () => reach(isTls ? 'TLS' : 'HTTP answer'));
    socket.once('secureConnect', () => reach('HTTP answer'));
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return answer;
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

function describe(stage: Stage, { hostname, host }: URL, cause: unknown): string {
  const { code = 'unknown error', message } = cause as { code?: string; message: string };
  if (stage === 'name resolution') return `The name ${hostname} has no address (${code}).`;
  if (stage === 'connection') return `${host} accepts no connection (${code}).`;
  if (stage === 'TLS') return `The connection to ${host} is not safe: ${message} (${code}).`;
  return `The connection to ${host} ended before the answer (${code}).`;
}

/** The site's own 503 says that the click could not be kept. */
function statusError(status: number, text: string): CanaryError {
  const { code, message } = readError(text);
  const stage = status === 503 && code === 'unavailable' ? 'not on disk' : 'HTTP status';
  return new CanaryError(stage, `The answer is ${status}${message ? `: ${message}` : '.'}`);
}

function readError(text: string): { code?: string; message?: string } {
  try {
    return errorSchema.parse(JSON.parse(text)).error;
  } catch {
    return {};
  }
}

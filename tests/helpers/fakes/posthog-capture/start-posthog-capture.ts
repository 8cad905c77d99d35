/**
 * A stand-in for PostHog: a real HTTP server that judges requests as PostHog does (Capture V1), stores events, lists its clicks
 * (query API), keeps dashboards, deletes persons, and plays a script of answers.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from '../../server/local-server.ts';
import { answerManagement, MANAGEMENT_PATH } from './answer-query.ts';
import { type Answer, answerDelete, answerV1, notServed } from './answers.ts';
import { type ArrivedEvent, mergeEvents } from './event-store.ts';
import type { Step } from './script.ts';
import { newWorld, type World } from './world.ts';

export interface CapturedRequest {
  /** Milliseconds since 1970. */
  at: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface PosthogCapture {
  port: number;
  /** Origin, without a slash at the end. */
  url: string;
  requests: CapturedRequest[];
  /** Every stored copy, in the order of arrival. */
  events: ArrivedEvent[];
  /** Stored events after PostHog has merged repetitions. */
  merged(): ArrivedEvent[];
  /** Adds the next answers. */
  play(...steps: Step[]): void;
  world: World;
  close(): Promise<void>;
}

const V1_PATH = /^\/i\/v1\/analytics\/events\/?$/;
const DELETE_PATH = /^\/api\/projects\/\d+\/persons\/bulk_delete\/$/;

export async function startPosthogCapture(): Promise<PosthogCapture> {
  const events: ArrivedEvent[] = [];
  const requests: CapturedRequest[] = [];
  const script: Step[] = [];
  const world = newWorld();
  const server = await startLocalServer(async (request, response) => {
    const received = await read(request);
    requests.push(received);
    if (world.isDown) {
      request.socket.destroy();
      return;
    }
    const step = script.shift() ?? {};
    await step.until;
    const url = new URL(received.path, 'http://posthog');
    const answer = MANAGEMENT_PATH.test(url.pathname)
      ? answerManagement(received, step, world, events)
      : V1_PATH.test(url.pathname)
        ? answerV1(received, step, world)
        : DELETE_PATH.test(url.pathname)
          ? answerDelete(received, events, world)
          : notServed();
    const { at } = received;
    events.push(...answer.stored.map((event) => ({ ...event, at })));
    reply(request, response, step, answer);
  });
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}`,
    requests,
    events,
    merged: () => mergeEvents(events),
    play: (...steps) => void script.push(...steps),
    world,
  };
}

async function read(request: IncomingMessage): Promise<CapturedRequest> {
  const raw = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const { method = '', url: path = '', headers } = request;
  return { at: Date.now(), method, path, headers, body: raw.toString() };
}

function reply(
  request: IncomingMessage,
  response: ServerResponse,
  { ending }: Step,
  { status, headers, body }: Answer,
): void {
  if (ending === 'silent') return;
  if (ending === 'cut') {
    request.socket.destroy();
    return;
  }
  response.writeHead(status, headers);
  if (ending !== 'half') response.end(body);
  else response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
}

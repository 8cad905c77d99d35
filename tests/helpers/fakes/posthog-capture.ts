/** A fake of PostHog's ingestion: records every event, and answers as PostHog does. */
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { startLocalServer } from '../server/local-server.ts';

export interface CapturedEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
}

export interface PosthogCapture {
  port: number;
  events: CapturedEvent[];
  /** Headers and body of each request, unchanged. */
  requests: { headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

export async function startPosthogCapture(): Promise<PosthogCapture> {
  const events: CapturedEvent[] = [];
  const requests: PosthogCapture['requests'] = [];
  const server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests.push({ headers: request.headers, body: body.toString() });
    events.push(...decode(body));
    response.setHeader('content-type', 'application/json').end('{"status":"Ok"}');
  });
  return { ...server, events, requests };
}

/** Decodes JSON, gzip without a Content-Encoding (magic 1f 8b), or a form's `data=` in base64. */
function decode(body: Buffer): CapturedEvent[] {
  if (body[0] === 0x1f && body[1] === 0x8b) return decode(gunzipSync(body));
  const text = body.toString('utf8');
  if (text.startsWith('data=')) {
    const data = new URLSearchParams(text).get('data') ?? '';
    return decode(Buffer.from(data, 'base64'));
  }
  const { batch, ...single } = JSON.parse(text);
  return batch ?? (Array.isArray(single) ? single : [single]);
}

/**
 * The network between browsers and servers: loses requests and answers, and gives answers of
 * strangers.
 */
import { VIEW_PATH } from '#contract/limits.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { MINUTE_MS } from '../../server/time.ts';
import { type BrowserEvent, coreOf } from './book.ts';
import { time } from './clock.ts';
import { random } from './random.ts';
import { BROWSER } from './site.ts';
import { never, pass } from './waits.ts';
import type { World } from './world.ts';

const EVENTS_PATH = '/k/e/';

const STRANGERS = [
  () => new Response('<html>captive portal', { headers: { 'content-type': 'text/html' } }),
  () => new Response('Forbidden', { status: 403 }),
  () => Response.json({ status: 'logged' }),
  () => new Response('{}', { status: 502, headers: { 'content-type': 'application/json' } }),
  () =>
    Response.json(
      { error: { code: 'rate_limited' } },
      { status: 429, headers: { 'retry-after': '30' } },
    ),
];

const failed = () => new TypeError('Failed to fetch');

/**
 * Sends a POST request of a browser to one of the servers.
 *
 * @throws (rejects with) as `fetch` does
 */
export async function post(
  world: World,
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<Response> {
  world.requests += 1;
  await pass(random.pick([1, 5, 20, 120, 700]));
  if (random.chance(world.weather.lostRequest)) throw failed();
  if (random.chance(world.weather.strangeAnswer)) return random.pick(STRANGERS)();
  if (random.chance(world.weather.silent)) await never();
  const server = random.pick(world.servers);
  if (!server?.life.isAlive || server.isStopping) throw failed();
  const { app, life } = server;
  if (url.startsWith(EVENTS_PATH)) for (const event of eventsIn(world, body)) event.copies += 1;
  const type = url.startsWith('/api/log-cta?') ? 'text/plain' : 'application/json';
  const answer = await Promise.race([
    app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { 'content-type': type, 'user-agent': BROWSER, ...headers },
    }),
    life.died,
  ]);
  if (!answer || !life.isAlive) throw failed();
  noteAnswer(world, url, body, answer.statusCode, answer.body);
  await pass(random.pick([1, 10, 200]));
  if (random.chance(world.weather.lostAnswer)) throw failed();
  return new Response(answer.body, {
    status: answer.statusCode,
    headers: {
      'content-type': String(answer.headers['content-type']),
      'retry-after': String(answer.headers['retry-after'] ?? ''),
      date: new Date(time()).toUTCString(),
    },
  });
}

/** Returns the noted events of a body for POST /k/e/. */
function eventsIn({ book }: World, body: string): BrowserEvent[] {
  const { batch } = JSON.parse(body) as { batch: { uuid: string }[] };
  return batch.flatMap(({ uuid }) => book.events.get(uuid) ?? []);
}

/** Notes what a server has confirmed, also if the answer is then lost. */
function noteAnswer(world: World, url: string, body: string, status: number, text: string): void {
  const { book, database } = world;
  if (status >= 500 && status !== 503) book.complain(`${url} answered ${status}: ${text}`);
  if (url.startsWith('/api/log-cta') && (status === 200 || status === 202)) {
    const { id } = JSON.parse(text) as { id: string };
    if (!book.acknowledged.has(coreOf(id))) book.acknowledged.set(coreOf(id), { id, at: time() });
    if (database.read('SELECT 1 FROM clicks WHERE id = $1', [id]).length === 0)
      book.complain(`acknowledged, and not in the table: ${id}`);
  }
  if (url === VIEW_PATH && status === 200) {
    const { id, is_brief } = JSON.parse(body) as ViewBody;
    const view = book.views.get(id ?? '');
    const [row] = database.read('SELECT viewed_at FROM visits WHERE id = $1', [id ?? null]);
    if (!row) book.complain(`view acknowledged, and not in the table: ${id}`);
    if (!view || !row) return;
    view.isAcknowledged = true;
    // A server takes the mark in the minute of the view, and in the next one.
    const minute = time() - (time() % MINUTE_MS);
    if (is_brief && Number(row.viewed_at) >= minute - MINUTE_MS) view.isKnownAsBrief = true;
  }
  if (url.startsWith(EVENTS_PATH) && status === 200)
    for (const event of eventsIn(world, body)) event.isAcknowledged = true;
  if (url.startsWith('/api/register') && status === 201) {
    const { email } = JSON.parse(body) as { email: string };
    if (!book.registered.has(email)) book.registered.set(email, book.tried.get(email) ?? time());
  }
}

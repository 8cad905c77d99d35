/** Readers of reports wait for a place, and none of them can keep the others out. */
import { EventEmitter } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReadingPlaces } from '../../../server/report/reading-places.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

/** Larger than every buffer between the server and a client. */
const FILM_BYTES = 64 * 1024 * 1024;

test('a stranger who guesses addresses of clinics, and reads no answer, keeps nobody from the report', async () => {
  const DIST_DIR = makeDist();
  const film = join(DIST_DIR, 'client/assets/film.mp4');
  writeFileSync(film, '');
  truncateSync(film, FILM_BYTES);
  const { app } = await startApp({ env: { DIST_DIR, ADMIN_PASSWORD } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  const get = (url: string) => `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const unknown = `/report/shared/${'x'.repeat(43)}`;
  let asked = 0;
  app.server.on('request', () => (asked += 1));
  socket.write(get('/assets/film.mp4') + get(unknown).repeat(8));
  await expect.poll(() => asked).toBe(9);
  const headers = withPassword(ADMIN_PASSWORD);
  expect((await app.inject({ url: '/report', headers })).statusCode).toBe(200);
});

/** Takes a place. `outcome`: what became of the reader so far. */
function reader({ take }: ReturnType<typeof createReadingPlaces>) {
  const client = new EventEmitter();
  const one = { client, outcome: 'waits' as unknown, giveBack: () => {} };
  take(client).then(
    (giveBack) => Object.assign(one, { outcome: 'reads', giveBack }),
    ({ statusCode }) => Object.assign(one, { outcome: statusCode }),
  );
  return one;
}

test('readers come in by turns; in a full queue the one that has waited longest gets 503, and one that leaves takes no place', async () => {
  const places = createReadingPlaces({ mostRead: 1, mostWaiting: 2 });
  const readers = [reader(places), reader(places), reader(places), reader(places)] as const;
  const [first, , third, fourth] = readers;
  const outcomes = async () => {
    await new Promise(setImmediate);
    return readers.map(({ outcome }) => outcome);
  };
  expect(await outcomes()).toEqual(['reads', 503, 'waits', 'waits']);
  first.giveBack();
  first.giveBack();
  expect(await outcomes()).toEqual(['reads', 503, 'reads', 'waits']);
  fourth.client.emit('close');
  third.giveBack();
  const next = reader(places);
  await new Promise(setImmediate);
  expect(next.outcome).toBe('reads');
});

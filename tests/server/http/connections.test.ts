/**
 * Bounds of open connections, with small ones: who gives way to a newcomer. Real ones:
 * tests/faults/connections.test.ts.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { boundsForDescriptors, describeBounds } from '../../../server/http/connection-bounds.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const GET = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const HALF =
  'POST /api/log-cta HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';

const BOUNDS = { all: 4, perAddress: 4, perNetwork: 4, local: 2 };

/** Starts the app on a port, with bounds of its connections. */
async function start(bounds: Partial<typeof BOUNDS> = {}, env: Record<string, string> = {}) {
  const { app } = await startApp({ env, parts: { connectionBounds: { ...BOUNDS, ...bounds } } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  /** Connects from 127.0.0.N. Resolves when the server has answered a request. */
  const open = async (n: number): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${n}` });
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(GET);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    return socket;
  };
  return { app, open };
}

/** Begins a request whose body does not come, and resolves when the server has its head. */
async function hold(socket: Socket): Promise<Socket> {
  socket.write(HALF);
  await once(socket, 'data');
  return socket;
}

/** Resolves when the server has closed the connection. */
const closed = async (socket: Socket) => {
  if (!socket.closed) await once(socket, 'close');
};
/** Whether the server still answers on the connection. */
const isServed = async (socket: Socket): Promise<boolean> => {
  if (socket.closed) return false;
  const answer = Promise.race([once(socket, 'data').then(() => true), closed(socket)]);
  socket.write(GET);
  return (await answer) === true;
};

test('at the bound of all, the connection that is idle for the longest time gives way to the newcomer', async () => {
  const { open } = await start();
  const [first, ...others] = [await open(2), await open(3), await open(4), await open(5)];
  // The first is not idle for the longest time any more.
  expect(await isServed(first)).toBe(true);
  const newcomer = await open(6);
  await closed(others[0] as Socket);
  for (const socket of [first, ...others.slice(1), newcomer])
    expect(await isServed(socket)).toBe(true);
});

test('a request under way gives way only if no connection is idle, and then the slowest one', async () => {
  const { open } = await start();
  const slow = [await hold(await open(2)), await hold(await open(3)), await hold(await open(4))];
  const idle = await open(5);
  const newcomer = await open(6);
  await closed(idle);
  await hold(newcomer);
  await open(7);
  await closed(slow[0] as Socket);
  expect([slow[1]?.closed, slow[2]?.closed, newcomer.closed]).toEqual([false, false, false]);
});

test('at the bound of an address its own oldest connection gives way, and no other address notices', async () => {
  const { open } = await start({ perAddress: 2 });
  const other = await open(3);
  const own = [await open(2), await open(2), await open(2), await open(2)];
  await closed(own[0] as Socket);
  await closed(own[1] as Socket);
  for (const socket of [other, own[2] as Socket, own[3] as Socket])
    expect(await isServed(socket)).toBe(true);
});

test('this machine has room of its own, so that its supervisor is answered, and keeps its connection', async () => {
  const { open } = await start({ all: 2 });
  const supervisor = await open(1);
  for (const n of [2, 3, 4, 5]) await open(n);
  expect(await isServed(supervisor)).toBe(true);
});

test('behind a proxy an address has no bound of its own', async () => {
  const { open } = await start({ perAddress: 1 }, { TRUST_PROXY: '1' });
  const sockets = [await open(2), await open(2), await open(2)];
  for (const socket of sockets) expect(await isServed(socket)).toBe(true);
});

test('an IPv6 /48 has a bound, besides that of each /56 in it', async () => {
  const { app } = await start({ all: 100, perAddress: 2, perNetwork: 3 });
  const open = (remoteAddress: string) => {
    const stream = Object.assign(new Duplex({ read() {}, write() {} }), {
      remoteAddress,
      setTimeout: () => {},
    });
    app.server.emit('connection', stream);
    return stream;
  };
  const addresses = ['2001:db8:1:100::1', '2001:db8:1:100::2', '2001:db8:1:100::3'];
  const ofAddress = addresses.map(open);
  expect(ofAddress.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  const ofNetwork = ['2001:db8:1:200::1', '2001:db8:1:300::1'].map(open);
  const elsewhere = open('2001:db8:2:100::1');
  const all = [...ofAddress, ...ofNetwork, elsewhere];
  expect(all.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false, false]);
  for (const stream of all) stream.destroy();
});

test.each([
  { descriptors: Number.POSITIVE_INFINITY, total: 10_000, perAddress: 1000 },
  { descriptors: 1_048_576, total: 10_000, perAddress: 1000 },
  { descriptors: 20_100, total: 10_000, perAddress: 1000 },
  { descriptors: 4096, total: 1998, perAddress: 499 },
  { descriptors: 1024, total: 462, perAddress: 115 },
  { descriptors: 64, total: 50, perAddress: 12 },
])(
  'a process that may open $descriptors files has at most $total connections',
  ({ descriptors, total, perAddress }) => {
    const bounds = boundsForDescriptors(descriptors);
    expect([bounds.all + bounds.local, bounds.perAddress]).toEqual([total, perAddress]);
    expect(describeBounds(descriptors)).toMatch(
      new RegExp(`^At most ${total} connections at the same time${total < 10_000 ? ',' : '\\.$'}`),
    );
  },
);

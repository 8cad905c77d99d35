/** A server that stops hands its last lines to the stream. */
import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startNats } from '../helpers/cluster/nats.ts';
import { makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

test('with ACK=disk a server that stops leaves nothing behind: its folder can be deleted', async () => {
  const { nats, server, load } = await startShipping();
  await untilAll(nats, load.acked);
  // Without answers of the stream, the server has lines to ship when it stops.
  for (const node of nats.nodes) node.freeze();
  const restart = startLoad(server.url, load);
  await untilAcked(load, 200);
  await restart();
  for (const node of nats.nodes) node.thaw();
  expect(await server.stop('SIGTERM')).toBe(0);
  rmSync(server.dataDir, { recursive: true });
  const shipped = (await nats.messages()).map(({ id }) => id);
  expect([...load.acked].filter((id) => !shipped.includes(id))).toEqual([]);
  expect(new Set(shipped).size).toBe(shipped.length);
});

test('without the stream a server still stops, and logs how many lines the stream lacks', async () => {
  const { nats, server, load } = await startShipping();
  const before = (await untilAll(nats, load.acked)).length;
  await Promise.all(nats.nodes.map((node) => node.kill()));
  const restart = startLoad(server.url, load);
  await untilAcked(load, 100);
  await restart();
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(server.said()).toContain(`the stream lacks ${load.acked.size - before} lines`);
});

/** A server that has shipped clicks, and gets none now. */
async function startShipping() {
  const nats = await startNats();
  onTestFinished(nats.remove);
  const server = await startServer({ env: { STREAM_URL: nats.url } });
  const load = makeLoad();
  const stop = startLoad(server.url, load);
  onTestFinished(stop);
  await expect.poll(() => nats.messages()).not.toEqual([]);
  await stop();
  return { nats, server, load };
}

/** @returns the stream's messages, once it has all of these */
async function untilAll(nats: Awaited<ReturnType<typeof startNats>>, ids: ReadonlySet<string>) {
  const missing = async () => {
    const shipped = new Set((await nats.messages()).map(({ id }) => id));
    return [...ids].filter((id) => !shipped.has(id));
  };
  await expect.poll(missing).toEqual([]);
  return nats.messages();
}

/** nginx with its advised settings for servers on other machines. One of three servers fails, with or without its machine. */
import { execFileSync } from 'node:child_process';
import { Agent } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { startNginx } from '../helpers/cluster/nginx.ts';
import { startSilentServer } from '../helpers/fakes/silent-server.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { makeLoad, sendClick, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer, storedIds } from '../helpers/server/server-process.ts';

async function startRemote(serverPorts: number[]) {
  const distDir = makeDist();
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], {
    env: { ...process.env, DIST_DIR: distDir },
  });
  const nginx = await startNginx({ distDir, serverPorts, areRemote: true });
  onTestFinished(() => nginx.remove());
  return nginx;
}

const env = { TRUST_PROXY: 'loopback' };

test('a machine is silent: every click is taken, and after a few clicks only an occasional one waits for it', async () => {
  const CLICKS = 60;
  const servers = await Promise.all([startServer({ env }), startServer({ env })]);
  const silentPort = await startSilentServer();
  const nginx = await startRemote([silentPort, ...servers.map(({ port }) => port)]);
  const ids = Array.from({ length: CLICKS }, newId);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  onTestFinished(() => agent.destroy());
  for (const id of ids) expect(await sendClick(nginx.url, id, agent)).toBe(200);
  const ledgers = await Promise.all(servers.map(({ ledger }) => storedIds(ledger)));
  expect(ledgers.flat().sort()).toEqual(ids.sort());
  // Without max_fails, a third of them would wait.
  const waited = nginx.asked().filter((ports) => ports.includes(silentPort));
  expect(waited.length).toBeGreaterThan(0);
  expect(waited.length).toBeLessThan(CLICKS / 5);
});

test('a server is killed under load and started again: no click is rejected, lost or written twice', async () => {
  const servers = await Promise.all([1, 2, 3].map(() => startServer({ env })));
  const [first] = servers;
  if (!first) throw new Error('three servers were started');
  const nginx = await startRemote(servers.map(({ port }) => port));
  const load = makeLoad();
  const stop = startLoad(nginx.url, load);
  onTestFinished(stop);
  await untilAcked(load, 300);
  await first.stop('SIGKILL');
  await untilAcked(load, 300);
  const { dataDir, port } = first;
  const again = await startServer({ env, dataDir, port });
  const askedBefore = nginx.asked().length;
  const isBack = () =>
    nginx
      .asked()
      .slice(askedBefore)
      .some((ports) => ports.at(-1) === again.port);
  await expect.poll(isBack).toBe(true);
  await stop();
  expect([...load.others]).toEqual([]);
  const ledgers = await Promise.all(servers.map(({ ledger }) => storedIds(ledger)));
  for (const ids of ledgers) expect(new Set(ids).size).toBe(ids.length);
  const kept = new Set(ledgers.flat());
  expect([...load.acked].filter((id) => !kept.has(id))).toEqual([]);
});

/** Three hosts in network namespaces of their own, joined by a bridge. Needs root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { NatsHost } from './nats.ts';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
const isolate = (device: string, state: 'on' | 'off') =>
  execFileSync('bridge', ['link', 'set', 'dev', device, 'isolated', state]);

export function makeNetwork() {
  // Names of devices have at most 15 characters.
  const name = `site${randomInt(10_000)}`;
  const subnet = `10.213.${randomInt(256)}`;
  ip('link', 'add', name, 'type', 'bridge');
  ip('address', 'add', `${subnet}.254/24`, 'dev', name);
  ip('link', 'set', name, 'up');
  const devices = [1, 2, 3].map((i) => `${name}v${i}`);
  const hosts = devices.map((device, i): NatsHost => {
    const address = `${subnet}.${i + 1}`;
    ip('netns', 'add', device);
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', device);
    ip('link', 'set', device, 'master', name, 'up');
    ip('-n', device, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', device, 'link', 'set', 'eth0', 'up');
    ip('-n', device, 'link', 'set', 'lo', 'up');
    return { address, spawn: (command, args) => spawnIn(device, command, args) };
  });
  const [first = '', second = ''] = devices;
  return {
    hosts,
    /** The first two hosts no longer reach each other; both reach the third, and the servers. */
    cut() {
      for (const device of [first, second]) isolate(device, 'on');
    },
    heal() {
      for (const device of [first, second]) isolate(device, 'off');
    },
    remove() {
      for (const device of devices) ip('netns', 'del', device);
      ip('link', 'del', name);
    },
  };
}

/** The process ends with the tests. */
function spawnIn(namespace: string, command: string, args: string[]): ChildProcess {
  const inside = ['netns', 'exec', namespace, 'setpriv', '--pdeathsig=KILL', command, ...args];
  return spawn('ip', inside, { stdio: 'ignore' });
}

/** A mock of a Kafka broker: librdkafka's, inside Debian's kcat, which also reads the topic. It keeps nothing on a disk. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { findProgram } from './daemon.ts';

export const findKcat = () => findProgram('/usr/bin/kcat', '/usr/local/bin/kcat');

/** @throws when kcat is not installed */
export async function startKafkaMock() {
  const program = findKcat();
  if (!program) throw new Error('kcat is missing. Run npm run test:install');
  const child = spawn(program, [
    ...['-C', '-u', '-t', 'clicks', '-o', 'beginning', '-f', '%k %s\\n', '-b', 'mock'],
    ...['-X', 'test.mock.num.brokers=1', '-X', 'debug=mock'],
  ]);
  const messages: { key: string; text: string }[] = [];
  createInterface({ input: child.stdout }).on('line', (text) => {
    const [key = ''] = text.split(' ', 1);
    messages.push({ key, text: text.slice(key.length + 1) });
  });
  const address = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on('line', (text) => {
    const found = /Mock cluster .*bootstrap\.servers=(\S+)/.exec(text)?.[1];
    if (found) address.resolve(found);
  });
  return {
    url: `kafka://${await address.promise}`,
    messages,
    remove: () => void child.kill('SIGKILL'),
  };
}

/** The command after which systemd counts a server as started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/server/local-server.ts';

test('ExecStartPost of the systemd unit ends when /livez answers, and not before', async () => {
  const port = await freePort();
  const unit = readFileSync('deploy/systemd/site@.service', 'utf8');
  const script = /^ExecStartPost=\S+\/node -e "([^"]+)"$/m.exec(unit)?.[1] ?? '';
  const command = spawn(process.execPath, ['-e', script.replaceAll('%i', String(port))]);
  onTestFinished(() => void command.kill('SIGKILL'));
  const ended = once(command, 'exit');
  await once(command, 'spawn');
  const asked: unknown[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url);
    answer.end('{}');
  }).listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  expect(await ended).toEqual([0, null]);
  expect(asked).toEqual(['/livez']);
});

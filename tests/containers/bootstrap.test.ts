/** deploy/bin/bootstrap on a new Debian. The container has everything but systemd. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { startEngine } from './engine.ts';

test('bootstrap makes a new machine into servers that keep a click; a second run changes nothing', async () => {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // The script clones what is committed.
  const repository = join(folder, 'repository');
  execFileSync('git', ['clone', '--quiet', '--bare', '.', repository]);
  const id = newId();
  const out = await engine.run(
    ...['run', '--rm', '--volume', `${repository}:/repository:ro`],
    ...['--volume', `${resolve('deploy/bin/bootstrap')}:/bootstrap:ro`],
    ...['--volume', `${resolve('tests/containers/walk-bootstrap')}:/walk:ro`],
    ...[
      'docker.io/library/node:26-bookworm-slim',
      'bash',
      '/walk',
      JSON.stringify(makeBody({ id })),
    ],
  );
  const [page, answer, line = ''] = out.trim().split('\n');
  expect([page, answer]).toEqual(['200', `{"status":"logged","id":"${id}"}200`]);
  expect(JSON.parse(line)).toMatchObject({ id });
});

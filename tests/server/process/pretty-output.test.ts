/** The server in a real terminal, and elsewhere. */
import { expect, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { prettyLine } from '../../../server/process/pretty-output.ts';
import { freePort } from '../../helpers/server/local-server.ts';
import { makeBody, makeDataDir } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';
import { spawnInTerminal, testInTerminal } from '../../helpers/server/terminal.ts';

testInTerminal('in a terminal, the server’s lines are text for people', async () => {
  const port = await freePort();
  const command = `'${process.execPath}' server/main.js`;
  const child = spawnInTerminal(command, {
    PORT: String(port),
    HOST: '127.0.0.1',
    METRICS_PORT: 'off',
    DATA_DIR: makeDataDir(),
    DIST_DIR: makeDist(),
  });
  let out = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  await expect.poll(() => out).toMatch(/^\d\d:\d\d:\d\d \S*info .*Server listening at/m);
  await fetch(`http://127.0.0.1:${port}${LOG_CTA_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/150.0' },
    body: JSON.stringify(makeBody({ referrer: '\u001b[2Jclinic' })),
  });
  await expect.poll(() => out).toMatch(/click.*hero_cta_click {2}ref �\[2Jclinic {2}fetch/);
  expect(out).not.toContain('"level"');
  expect(out).not.toContain('\u001b[2J');
});

test('an error has its stack, and other values their names', () => {
  const line = { level: 50, time: 0, pid: 1, hostname: 'x', kind: 'away', msg: 'No events' };
  const stack = 'Error: gone\n    at here';
  expect(prettyLine(JSON.stringify({ ...line, err: { stack } }), false)).toMatch(
    /^\d\d:00:00 ERROR No events {2}kind=away\n {9}Error: gone\n {13}at here$/,
  );
  expect(prettyLine('not JSON\u0007', false)).toBe('not JSON�');
});

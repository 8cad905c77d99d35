/** A build with a call to action that comes before the script which counts its clicks must fail. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyTree } from '../helpers/run/copy-tree.ts';

test('above the stub of the landing page', async () => {
  const copy = copyTree();
  onTestFinished(() => copy.remove());
  const path = join(copy.path, 'pages/index/+Page.tsx');
  const page = readFileSync(path, 'utf8');
  const withCta = page.replace('<Hero />', '<CtaLink cta="hero">Join the Drive</CtaLink><Hero />');
  expect(withCta).not.toBe(page);
  writeFileSync(path, `import { CtaLink } from '#components/cta-link.tsx';\n${withCta}`);
  const { status, stderr } = spawnSync(process.execPath, ['node_modules/vike/bin.js', 'build'], {
    cwd: copy.path,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', DIST_DIR: 'dist' },
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('Put <ClickStub /> before the page\u2019s first <CtaLink>.');
});

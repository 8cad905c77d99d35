/** A build with a call to action that comes before the script which counts its clicks must fail. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyTree, type TreeCopy } from '../helpers/run/copy-tree.ts';

let copy: TreeCopy;
beforeAll(() => {
  copy = copyTree(process.cwd());
});
afterAll(() => copy.remove());

const PLACES = {
  'above the stub of the landing page': { file: 'pages/index/+Page.tsx', before: '<Hero />' },
  'on a page without the stub': { file: 'pages/registered/+Page.tsx', before: '<RegisterSuccess' },
};

test.each(Object.entries(PLACES))('%s', (_place, { file, before }) => {
  const path = join(copy.path, file);
  const page = readFileSync(path, 'utf8');
  expect(page).toContain(before);
  const withCta = page.replace(before, `<CtaLink cta="hero">Join the Drive</CtaLink>${before}`);
  writeFileSync(path, `import { CtaLink } from '#components/cta-link.tsx';\n${withCta}`);
  expect(build(copy.path)).toContain('Put <CaptureStub /> before the page\u2019s first <CtaLink>.');
  writeFileSync(path, page);
});

/** @returns the message of the failed build; empty if it did not fail */
function build(cwd: string): string {
  try {
    const env = { ...process.env, NODE_ENV: 'production', DIST_DIR: 'dist' };
    execFileSync(process.execPath, ['node_modules/vike/bin.js', 'build'], {
      cwd,
      env,
      stdio: 'pipe',
    });
    return '';
  } catch (cause) {
    return String((cause as { stderr: Buffer }).stderr);
  }
}

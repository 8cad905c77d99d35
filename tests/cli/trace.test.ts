import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { openReceipts } from '../../server/posthog/receipts/open-receipts.ts';
import type { Receipt } from '../../server/posthog/receipts.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';

const trace = (dataDir: string, ...args: string[]) =>
  runCli('clicks.ts', ['trace', ...args], { DATA_DIR: dataDir });

type Site = Awaited<ReturnType<typeof startApp>>;

/** Records a click that was made 2 s, and sent 0.5 s before now. */
async function click(site: Site, parts: Record<string, unknown> = {}) {
  const id = newId();
  const before = (ms: number) => new Date(Date.now() - ms).toISOString();
  const body = makeBody({ id, timestamp: before(2000), sent_at: before(500), ...parts });
  await postClick(site, body);
  return id;
}

async function addReceipt(site: Site, uuid: string, parts: Partial<Receipt> = {}) {
  const receipts = await openReceipts(site.config);
  await receipts.record([
    {
      ...{ uuid, event: 'cta_click', channel: 'browser', protocol: 'v1', verdict: 'ok' },
      ...{ detail: null, attempts: 1, at: new Date().toISOString(), ...parts },
    } as Receipt,
  ]);
  await receipts.close();
}

const read = (text: string) => JSON.parse(text);

test('tells one click’s life, from the browser to PostHog’s verdict', async () => {
  const site = await startApp();
  await click(site);
  const parts = { visit_id: newId(), seq: 2, campaign: { utm_source: 'leaflet' } };
  const id = await click(site, { ...parts, referrer: 'clinic-7\u001b[2J' });
  await addReceipt(site, id, { attempts: 3, channel: 'ledger' });
  // Upper case, as people copy it from other tools.
  const { out, err, code } = await trace(site.config.dataDir, id.toUpperCase());
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [title, what, , ...steps] = out.trimEnd().split('\n');
  expect(title).toBe(`Click ${id}`);
  expect(what).toMatch(/^hero_cta_click, ref clinic-7�\[2J, utm_source=leaflet, visit 0/);
  expect(steps).toEqual([
    expect.stringMatching(
      /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d\d\dZ +browser {2}made.*, as number 2 of its visit$/,
    ),
    expect.stringMatching(/^ +\+1\.5 s +browser {2}sent, after 1\.5 s in the outbox$/),
    expect.stringMatching(
      /^ +\+2(\.\d)? s +server {3}received by fetch, request \S+; \d+ ms after/,
    ),
    expect.stringMatching(/^ +\+2(\.\d)? s +ledger {3}on the disk: .*clicks\.jsonl, line 2$/),
    expect.stringMatching(/^ +index {4}knows the id, so the click counts once$/),
    expect.stringMatching(/^ +\+\d.* s +PostHog {2}took it: from the ledger, by v1, 3 requests$/),
  ]);
});

test('is about the click with the id, not about a line that only names it', async () => {
  const site = await startApp();
  const id = newId();
  await click(site, { page_url: `https://site.example/?ref=${id}` });
  expect((await trace(site.config.dataDir, id)).code).toBe(1);
});

test('--json has the same as data', async () => {
  const site = await startApp();
  const id = await click(site);
  await addReceipt(site, id, { verdict: 'drop', detail: 'billing_limit_exceeded' });
  const { out } = await trace(site.config.dataDir, id, '--json');
  const life = read(out);
  expect(life).toMatchObject({
    id,
    click: { id, event: 'hero_cta_click', referrer: 'clinic-7' },
    ledger: { file: site.config.files.ledger, line: 1 },
    rejected: null,
    indexed: true,
    receipt: { uuid: id, verdict: 'drop', detail: 'billing_limit_exceeded' },
  });
  expect(life.steps.map(({ place }: { place: string }) => place)).toEqual([
    ...['browser', 'browser', 'server', 'ledger', 'index', 'posthog'],
  ]);
  expect(life.steps.at(-1).text).toBe(
    'dropped it for good (billing_limit_exceeded): from the browser, by v1, 1 request',
  );
});

describe('says where a click is, or why it is not there', () => {
  const lastStep = async (site: Site, id: string) =>
    read((await trace(site.config.dataDir, id, '--json')).out).steps.at(-1).text;

  test('a click without a receipt, a robot’s, and a visitor’s who asks for privacy', async () => {
    const site = await startApp({ site: { posthogKey: null } });
    expect(await lastStep(site, await click(site))).toMatch(/^has given no verdict/);
    const robot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    expect(await lastStep(site, await click(site, { user_agent: robot }))).toMatch(
      /a robot clicked/,
    );
    const id = newId();
    await postClick(site, makeBody({ id }), { 'sec-gpc': '1' });
    expect(await lastStep(site, id)).toMatch(/the visitor asks for privacy/);
    // The command only reads.
    expect(existsSync(site.config.files.receipts)).toBe(false);
  });

  test('in a packed file of another server’s folder, whose index is gone', async () => {
    const site = await startApp();
    const id = await click(site);
    await site.close();
    const { ledger, clickIndex } = site.config.files;
    const packed = `${ledger}-20260131.gz`;
    writeFileSync(packed, gzipSync(`${JSON.stringify(site.lines()[0])}\n`));
    rmSync(ledger);
    rmSync(clickIndex);
    const own = await startApp();
    const { out, code } = await trace(own.config.dataDir, id, '--ledger', site.config.dataDir);
    expect(code).toBe(0);
    expect(out).toContain(`on the disk: ${packed}, line 1`);
    expect(out).toContain('does not know the id');
  });

  test('a line that age has deleted, but that the index knows', async () => {
    const site = await startApp();
    const id = await click(site);
    await site.close();
    renameSync(site.config.files.ledger, join(site.config.dataDir, 'moved-away'));
    const { out, code } = await trace(site.config.dataDir, id);
    expect(code).toBe(0);
    expect(out).toMatch(/ledger +has no line\. The line was deleted by age/);
    expect(out).toContain('knows the id');
  });

  test('while the index cannot be read, the rest of its life', async () => {
    const site = await startApp({ site: { posthogKey: null } });
    const id = await click(site);
    await site.close();
    writeFileSync(site.config.files.clickIndex, 'no database'.repeat(100));
    const { out, code } = await trace(site.config.dataDir, id);
    expect(code).toBe(0);
    expect(out).toContain('on the disk: ');
    expect(out).toMatch(/index +cannot be asked\. file is not a database/);
    const unknown = await trace(site.config.dataDir, newId());
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('The index cannot be asked');
  });

  test('a rejected click', async () => {
    const site = await startApp();
    const id = await click(site, { is_mobile: 'maybe' });
    await site.rejected();
    const { out, code } = await trace(site.config.dataDir, id);
    expect(code).toBe(0);
    expect(out).toMatch(
      /rejected for good \(validation_failed\), kept in .*refused\.jsonl; is_mobile must be/,
    );
  });
});

describe('without such a click', () => {
  test.each([
    [[], "trace needs a click's id, a UUID such as 019c"],
    [['hero'], 'a UUID such as 019c1234-5678-7abc-8def-0123456789ab, not "hero"'],
    [[newId(), newId()], 'Unexpected argument'],
  ])('the arguments %j are refused with the help', async (args, message) => {
    const { err, code } = await trace(makeDataDir(), ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain('trace ID');
  });

  test('an unknown id ends with 1 and says where it may be', async () => {
    const site = await startApp();
    await click(site);
    const id = newId();
    const { out, err, code } = await trace(site.config.dataDir, id);
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toMatch(new RegExp(`^No click with the id ${id}: .*may still wait in a browser`));
    const nowhere = await trace(makeDataDir(), id);
    expect(nowhere.code).toBe(1);
    expect(nowhere.err).toMatch(/There is no ledger at .*clicks\.jsonl/);
  });
});

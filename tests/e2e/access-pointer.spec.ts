import { OPT_OUT } from '#words/opt-out.ts';
import { allOf } from '../helpers/browser/all-of.ts';
import { pageState } from '../helpers/browser/page-state.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, loggedClicks, test } from './fixtures.ts';

/** The tooltip of the opt-out, which the focus opens as well (toast-tooltip.spec.ts). */
const REMARK = OPT_OUT.en({ posthogKey: null, logIp: 'full' }).effect.on;

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

test('T13 a press that is moved away before it ends does nothing', async ({
  page,
  context,
  world,
}) => {
  await page.goto('/?ref=moved-away');
  await wake(page);
  const tabs = context.pages().length;
  for (const control of await allOf(page, ['a[href]', 'button'])) {
    if (await control.evaluate((element) => element.matches('[data-skip]'))) continue;
    await control.scrollIntoViewIfNeeded();
    const before = await pageState(page);
    const box = await control.boundingBox();
    if (!box) throw new Error('A control without a place');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y - 9, { steps: 3 });
    await page.mouse.move(2, 2);
    await page.mouse.up();
    expect(await pageState(page)).toEqual(before);
  }
  expect(context.pages().length).toBe(tabs);
  // The last click counts. The log must contain no other.
  await page.click('[data-cta=hero]');
  await loggedClicks(world, 'moved-away', 1);
});

test('T14 resting on anything for three seconds opens only a remark that the focus opens too', async ({
  page,
  context,
  world,
}) => {
  await page.clock.install();
  await page.goto('/?ref=rests');
  await wake(page);
  const tabs = context.pages().length;
  const PLACES = [
    ...['a[href]:not([data-skip])', 'button', 'label', 'input'],
    ...['h2', 'h3', 'figure', 'img', 'main ul > li'],
  ];
  for (const place of await allOf(page, PLACES)) {
    const box = await place.boundingBox();
    if (!box?.width || !box.height) continue;
    await place.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const now = (await place.boundingBox()) ?? box;
    await page.mouse.move(1, 1);
    const before = await pageState(page);
    await page.mouse.move(now.x + now.width / 2, now.y + now.height / 2);
    await page.clock.fastForward(3000);
    const { words, ...rest } = await pageState(page);
    const { words: wordsBefore, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
    const opened = words.filter((text) => !wordsBefore.includes(text));
    expect(opened.filter((text) => text !== REMARK)).toEqual([]);
  }
  expect(context.pages().length).toBe(tabs);
  await page.click('[data-cta=hero]');
  await loggedClicks(world, 'rests', 1);
});

/** A site without a portal: its links open a stand-in on our own server. */
import { axeComplaints } from '../helpers/browser/axe.ts';
import { expect, loggedClicks, test } from './fixtures.ts';

for (const [path, code, language] of [
  ['/', 'Invitation code: SMADRIVE', 'en'],
  ['/es/', 'Código de invitación: SMADRIVE', 'es'],
] as const) {
  test(`the button of ${path} opens the stand-in with the ref and the code, and is counted`, async ({
    page,
    context,
    world,
  }) => {
    const ref = `clinic-7-${language}`;
    await page.goto(`${path}?ref=${ref}`);
    const opened = context.waitForEvent('page');
    await page.click('[data-cta=hero]');
    const standIn = await opened;
    await expect(standIn.getByText(code)).toBeVisible();
    await expect(standIn.getByText(ref)).toBeVisible();
    await expect(standIn.locator('html')).toHaveAttribute('lang', language);
    expect(await axeComplaints(standIn)).toEqual([]);
    await loggedClicks(world, ref, 1);
  });
}

test('the links to the policy and the terms open the stand-in, also with a ref', async ({
  page,
  context,
}) => {
  await page.goto('/?ref=clinic-7');
  for (const [name, text] of [
    [/^Privacy policy/, 'The privacy policy of Wayfield Health'],
    [/^Terms/, 'The terms of Wayfield Health'],
  ] as const) {
    const opened = context.waitForEvent('page');
    await page.getByRole('contentinfo').getByRole('link', { name }).click();
    await expect((await opened).getByText(text)).toBeVisible();
  }
});

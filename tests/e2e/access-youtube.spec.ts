import { axeComplaints } from '../helpers/browser/axe.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'youtube' });

const FILM = 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ';

test('T18 the page contacts YouTube only when its film is pressed; then the film has a name and the focus', async ({
  page,
  context,
  world,
}) => {
  const foreign: string[] = [];
  await context.route(`${FILM}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<html lang="en"><title>Film</title>' }),
  );
  context.on('request', (request) => {
    if (!request.url().startsWith(world.url)) foreign.push(request.url());
  });
  await page.goto('/');
  await wake(page);
  expect(foreign).toEqual([]);

  await page.getByRole('button', { name: 'Play the film' }).press('Enter');
  const frame = page.locator('iframe');
  await expect(frame).toBeFocused();
  await expect(frame).toHaveAttribute('title', /^Film/);
  await expect.poll(() => foreign).toEqual([expect.stringContaining(FILM)]);
  expect(await context.cookies()).toEqual([]);
  expect(await axeComplaints(page)).toEqual([]);
});

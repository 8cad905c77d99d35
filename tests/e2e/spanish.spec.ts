/** The Spanish page in a browser: its words before and after the script, its form, its mail, its film. */
import type { Page } from '@playwright/test';
import { toggleFilm } from '../helpers/browser/page-steps.ts';
import { expect, settle, test } from './fixtures.ts';

test.use({ build: 'form', locale: 'es-MX' });

const MESSAGES = [
  'El nombre debe tener al menos 2 letras',
  'El apellido debe tener al menos 2 letras',
  'Escriba una dirección de correo electrónico válida',
  'Debe aceptar los términos y condiciones',
];

async function openForm(page: Page): Promise<void> {
  await page.goto('/es/?ref=es#register');
  await settle(page);
  await page.locator('[data-island=register-form][data-ready]').waitFor();
}

async function fill(page: Page, email: string): Promise<void> {
  await page.getByLabel('Nombre').fill('Ana');
  await page.getByLabel('Apellido').fill('Silva');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Acepto los términos y condiciones').check();
}

test('the interactive parts say the same words before and after the script, all in Spanish', async ({
  page,
}) => {
  const stats = {
    clicks: { total: 12_345, by_event: {}, per_day: [] },
    registrations: { total: null },
  };
  await page.route('**/api/stats', (route) => route.fulfill({ json: stats }));
  const scripts: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) scripts.push(await response.text());
  });
  await page.goto('/es/');
  const parts = page.locator('[data-island=register-form]');
  const before = await parts.allInnerTexts();
  await settle(page);
  await expect(page.getByText('el botón se ha pulsado 12,345 veces')).toBeVisible();
  for (const part of await parts.all()) {
    await part.scrollIntoViewIfNeeded();
    await expect(part).toHaveAttribute('data-ready', '');
  }
  expect(await parts.allInnerTexts()).toEqual(before);

  await page.locator('footer').scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Desactivar el conteo en este dispositivo' }).click();
  await expect(page.getByText('El conteo está desactivado en este dispositivo.')).toBeVisible();
  const toast = page.getByRole('region', { name: 'Mensajes (F8)' }).locator('[data-toast]');
  await expect(toast).toContainText('El conteo está desactivado');
  await toast.getByRole('button', { name: 'Cerrar' }).click();
  await expect(toast).toHaveCount(0);
  expect(scripts.join()).toContain('Desactivar el conteo');
  expect(scripts.join(), 'the browser loads no other language').not.toContain(
    'Turn off counting on this device',
  );
});

test('a form with errors names them in Spanish, above and next to the fields', async ({ page }) => {
  await openForm(page);
  await page.getByRole('button', { name: 'Inscribirme' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Hay un problema' });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText(MESSAGES);
  await expect(page.getByLabel('Nombre')).toHaveAccessibleDescription(MESSAGES[0] ?? '');
});

test('a registration is confirmed in Spanish, and so is its mail', async ({ page, world }) => {
  // A network of its own, because mails of a network that registers a lot wait for ten seconds each.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.8' });
  await openForm(page);
  await fill(page, 'correo@example.org');
  await page.getByLabel('Tipo 2').check();
  const sent = page.waitForRequest(/\/api\/register/);
  await page.getByRole('button', { name: 'Inscribirme' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ smaType: 'Type 2' });
  await expect(
    page.getByRole('heading', { name: '¡Le damos la bienvenida a SMA Data Drive!' }),
  ).toBeFocused();
  await expect(page.locator('[data-toast]')).toContainText('¡Inscripción enviada!');
  const subjects = () =>
    world.smtp.received
      .filter(({ to }) => to?.[0]?.address === 'correo@example.org')
      .map(({ subject }) => subject);
  await expect.poll(subjects).toEqual(['Su inscripción: próximos pasos']);
});

test.describe('where it cannot be sent', () => {
  test.use({ expectedComplaints: /400|502/ });
  test('the server’s words, and those for a lost server, are in Spanish', async ({ page }) => {
    await openForm(page);
    await fill(page, 'error@example.org');
    // Our own server's answer to a body that the form does not send.
    const empty = { postData: JSON.stringify({ firstName: 'Ana', lastName: 'Silva' }) };
    await page.route(/\/api\/register/, (route) => route.continue(empty), { times: 1 });
    await page.getByRole('button', { name: 'Inscribirme' }).click();
    const listed = page.locator('form').getByRole('alert').getByRole('listitem');
    await expect(listed).toHaveText([`${MESSAGES[2]}. ${MESSAGES[3]}`]);
    await page.route(/\/api\/register/, (route) => route.fulfill({ status: 502, body: '<h1>' }));
    await page.locator('[data-toast]').getByRole('button', { name: 'Reintentar' }).click();
    await expect(listed).toHaveText(['Algo salió mal. Intente de nuevo.']);
  });
});

test('the film has captions in both languages and shows the Spanish ones, and the page says that the film is in English', async ({
  page,
}) => {
  await page.goto('/es/#how-it-works');
  await settle(page);
  await expect(page.getByText('Las palabras del video están en inglés')).toBeVisible();
  const film = page.getByLabel('Video: cómo funciona SMA Data Drive');
  await toggleFilm(page);
  const shown = () =>
    film.evaluate((video: HTMLVideoElement) =>
      [...video.textTracks].map(({ label, language, mode, cues }) => ({
        ...{ label, language, mode },
        first: mode === 'showing' ? ((cues?.[0] as VTTCue | undefined)?.text ?? '') : null,
      })),
    );
  await expect.poll(shown).toEqual([
    {
      ...{ label: 'Español', language: 'es', mode: 'showing' },
      first: expect.stringContaining('atrofia muscular espinal (AME)'),
    },
    { label: 'English', language: 'en', mode: 'disabled', first: null },
  ]);
});

test.describe('an unknown path', () => {
  test.use({ expectedComplaints: /404 \(Not Found\)/ });
  test('below /es/ is the Spanish card, whose way back is the Spanish page', async ({ page }) => {
    const answer = await page.goto('/es/no/such/page?ref=clinic-7');
    expect(answer?.status()).toBe(404);
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await page.getByRole('link', { name: 'Volver al inicio' }).click();
    await page.waitForURL((url) => url.pathname === '/es/');
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false, expectedComplaints: /400 \(Bad Request\)/ });

  test('the form is answered with Spanish pages', async ({ page }) => {
    await page.goto('/es/');
    await page.getByRole('button', { name: 'Inscribirme' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await expect(page.getByRole('heading', { name: 'Hay un problema' })).toBeVisible();
    await expect(page.getByRole('listitem')).toHaveText(MESSAGES);
    await fill(page, 'sin-script@example.org');
    await page.getByRole('button', { name: 'Inscribirme' }).click();
    await expect(
      page.getByRole('heading', { name: '¡Le damos la bienvenida a SMA Data Drive!' }),
    ).toBeVisible();
  });
});

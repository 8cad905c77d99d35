import { expect, test } from 'vitest';
import { createCapture } from '../../../../server/posthog/capture/create-capture.ts';
import { startListener } from '../../../helpers/fakes/server-listener.ts';

test('an answer that is not PostHog’s leaves the events to be sent again', async () => {
  const { url } = await startListener();
  const event = {
    uuid: '019c1234-5678-7abc-8def-000000000001',
    event: 'cta_click',
    distinct_id: '019c1234-5678-7abc-8def-aaaaaaaaaaaa',
    timestamp: '2026-01-31T09:30:00.000Z',
    properties: {},
  };
  const { outcomes, trouble } = await createCapture({ host: url, key: 'phc_test' }).send([event]);
  expect(outcomes).toMatchObject([{ verdict: 'retry', detail: 'unreadable_answer', attempts: 1 }]);
  expect(trouble?.kind).toBe('unreadable');
});

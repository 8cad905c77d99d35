/** A PostHog for one test of Vitest. */
import { onTestFinished } from 'vitest';
import { startPosthogCapture } from './start-posthog-capture.ts';

/** Starts the stand-in until the end of the test. */
export async function testCapture() {
  const posthog = await startPosthogCapture();
  onTestFinished(posthog.close);
  return posthog;
}

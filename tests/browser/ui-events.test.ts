import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emitUiEvent, onUiEvent } from '#browser/ui-events.ts';

declare module '#contract/events.ts' {
  interface TrackingPlan {
    /** For this test alone: an event with a property of its own. */
    test_event: { kind: 'one' | 'two' };
  }
}

beforeEach(() => {
  vi.stubGlobal('document', new EventTarget());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('an event arrives with its properties, until the listener stops', () => {
  const seen: unknown[] = [];
  const stop = onUiEvent((uiEvent, properties) => seen.push([uiEvent, properties]));
  emitUiEvent('test_event', { kind: 'two' });
  emitUiEvent('registration_submitted');
  stop();
  emitUiEvent('registration_submitted');
  expect(seen).toEqual([
    ['test_event', { kind: 'two' }],
    ['registration_submitted', {}],
  ]);
});

test('the compiler refuses properties that are not in the tracking plan', () => {
  // @ts-expect-error: `kind` has no such value.
  emitUiEvent('test_event', { kind: 'three' });
  // @ts-expect-error: `kind` is missing.
  emitUiEvent('test_event');
  // @ts-expect-error: this event has no properties of its own.
  emitUiEvent('registration_submitted', { kind: 'one' });
  // @ts-expect-error: tracking sends it by itself.
  emitUiEvent('cta_click');
});

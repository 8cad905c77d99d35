import { useMutation } from '@tanstack/react-query';
import {
  type RegisterAnswer,
  type RegisterFields,
  registerAnswerSchema,
} from '#contract/register.schema.ts';
import { apiRequest } from './api-request.ts';

/** What the form sends: its fields, and how long it was filled in, in milliseconds. */
type Body = RegisterFields & { filledMs: number };

/** A server that has not answered by then counts as a failure. Milliseconds. */
const TIMEOUT_MS = 8000;

/**
 * Sends the registration form. It fails within TIMEOUT_MS, also while the browser is offline. Sending the form again is
 * safe: the server keeps each e-mail address once.
 */
export function useRegister() {
  return useMutation<RegisterAnswer, Error, Body>({
    // TanStack Query would wait in silence for the network to come back.
    networkMode: 'always',
    mutationFn: async (fields) => {
      // Not AbortSignal.timeout, which Safari 15 and Chrome 100 do not have.
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
      try {
        const request = { body: fields, signal: timeout.signal };
        // A captive portal answers 200 too: only our own words count as registered.
        return registerAnswerSchema.parse(await apiRequest('POST', '/api/register', request));
      } finally {
        clearTimeout(timer);
      }
    },
  });
}

import { useMutation } from '@tanstack/react-query';
import {
  type RegisterAnswer,
  type RegisterFields,
  registerAnswerSchema,
} from '#contract/register.schema.ts';
import { apiRequest } from './api-request.ts';

/** The form's fields, and the time it took to fill them in, in milliseconds. */
type Body = RegisterFields & { filledMs: number };

/** A server that has not answered by then counts as a failure. Milliseconds. */
const TIMEOUT_MS = 8000;

/**
 * Sends the registration form. It fails within TIMEOUT_MS, also while the browser is offline. Sending the form again is
 * safe: the server keeps each e-mail address once.
 *
 * @param path from contract/register-path.ts
 */
export function useRegister(path: string) {
  return useMutation<RegisterAnswer, Error, Body>({
    // By default, TanStack Query would wait silently until the browser is online.
    networkMode: 'always',
    mutationFn: async (fields) => {
      // Not AbortSignal.timeout, which Safari 15 and Chrome 100 do not have.
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
      try {
        const request = { body: fields, signal: timeout.signal };
        // Only our own response counts as registered, because a captive portal also answers 200.
        return registerAnswerSchema.parse(await apiRequest('POST', path, request));
      } finally {
        clearTimeout(timer);
      }
    },
  });
}

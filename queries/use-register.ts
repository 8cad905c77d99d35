import { useMutation } from '@tanstack/react-query';
import type { RegisterAnswer, RegisterFields } from '#contract/register.schema.ts';
import { apiRequest } from './api-request.ts';

/** What the form sends: its fields, and how long it was filled in, in milliseconds. */
type Body = RegisterFields & { filledMs: number };

/** Sends the registration form. */
export function useRegister() {
  return useMutation<RegisterAnswer, Error, Body>({
    mutationFn: async (fields) =>
      (await apiRequest('POST', '/api/register', { body: fields })) as RegisterAnswer,
  });
}

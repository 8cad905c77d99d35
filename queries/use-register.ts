import { useMutation } from '@tanstack/react-query';
import type { RegisterAnswer, RegisterFields } from '#contract/register.schema.ts';
import { apiRequest } from './api-request.ts';

/** Sends the registration form. */
export function useRegister() {
  return useMutation<RegisterAnswer, Error, RegisterFields>({
    mutationFn: async (fields) =>
      (await apiRequest('POST', '/api/register', { body: fields })) as RegisterAnswer,
  });
}

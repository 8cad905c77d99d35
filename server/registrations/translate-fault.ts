/** Converts an error to the language of the form's page. The server's own messages are in English. */
import type { Language } from '#contract/language.ts';
import { makeRegisterBodySchema } from '#contract/register.schema.ts';
import { type RegisterAnswers, registerAnswers } from '#words/es/register-answers.ts';
import { registerMessages } from '#words/es/register-messages.ts';
import { fieldErrors } from '../http/field-errors.ts';
import { HttpError } from '../http/http-error.ts';

type Translated = Exclude<Language, 'en'>;
const ANSWERS: Record<Translated, RegisterAnswers> = { es: registerAnswers };
const SCHEMAS = { es: makeRegisterBodySchema(registerMessages) } satisfies Record<
  Translated,
  unknown
>;

/** @param body the request's body, which is checked again for its messages in this language */
export function translateFault(language: Language, error: HttpError, body: unknown): HttpError {
  if (language === 'en') return error;
  const { statusCode, code, fields, retryAfterS, cause } = error;
  return new HttpError(statusCode, code, messageOf(ANSWERS[language], error), {
    ...(fields && { fields: { ...fields, ...fieldMessages(language, body) } }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    cause,
  });
}

function messageOf(answers: RegisterAnswers, { code, retryAfterS = 0 }: HttpError): string {
  if (code === 'rate_limited') return answers.rate_limited(retryAfterS);
  const { rate_limited: _, other, ...byCode } = answers;
  return byCode[code as keyof typeof byCode] ?? other;
}

function fieldMessages(language: Translated, body: unknown): Record<string, string> {
  const issues = SCHEMAS[language].safeParse(body).error?.issues ?? [];
  const { body: _, ...messages } = fieldErrors(issues);
  return messages;
}

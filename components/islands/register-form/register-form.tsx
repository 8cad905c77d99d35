/** The registration form, if site.config.ts enables it. The success screen replaces it once it is sent. */

import './zod-without-eval.ts';
import { zodResolver } from '@hookform/resolvers/zod';
import { type FormEvent, useEffect, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { siteStore } from '#browser/site.ts';
import { emitUiEvent } from '#browser/ui-events.ts';
import { useLanguage } from '#components/language.tsx';
import { ApiError } from '#components/queries/api-request.ts';
import { useRegister } from '#components/queries/use-register.ts';
import { RegisterSuccess } from '#components/register-success.tsx';
import { makeRegisterBodySchema, type RegisterFields } from '#contract/register.schema.ts';
import { registerPath } from '#contract/register-path.ts';
import type { FormWords } from '#words/en/form.ts';
import { ErrorSummary, type FormError } from './error-summary.tsx';
import { useFillTime } from './fill-time.ts';
import { clearDraft, loadDraft, saveDraft } from './form-draft.ts';
import { FormIntro } from './form-words.tsx';
import { FIELDS, type FieldName, idOf, RegisterControls } from './register-controls.tsx';
import { RobotTrap } from './robot-trap.tsx';

const FORM_ID = 'register-form';

const CARD =
  'mt-12 grid max-w-form gap-6 border-pen border-ink bg-card p-[clamp(1.25rem,4vw,2.5rem)]';

/** The specification's fields, and the trap. */
type Fields = RegisterFields & { message: string };

export function RegisterForm({ words }: { words: FormWords }) {
  const path = registerPath(useLanguage());
  const [defaultValues] = useState(() => ({ ...loadDraft(formInPage()), message: '' }));
  const form = useForm<Fields>({
    resolver: zodResolver(makeRegisterBodySchema(words.messages)) as never,
    defaultValues,
    shouldFocusError: false,
  });
  const fillTime = useFillTime();
  const register = useRegister(path);
  const [attempt, setAttempt] = useState(0);
  const { errors, isSubmitting } = form.formState;
  const problems = formErrors(errors, register.error, words);

  useEffect(
    () =>
      form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(values) }),
    [form],
  );
  useErrorTitle(problems.length > 0, words.error);

  if (register.isSuccess) {
    return (
      <div className={CARD} data-registered="">
        <RegisterSuccess words={words} />
      </div>
    );
  }

  const send = async ({ message: _, ...fields }: Fields) => {
    emitUiEvent('registration_submitted');
    const filledMs = await fillTime();
    await register.mutateAsync({ ...fields, filledMs }).then(
      () => celebrate(words),
      (error) => explain(error, submit, words),
    );
  };
  const submit = (event?: FormEvent) => {
    if (isSubmitting) return event?.preventDefault();
    siteStore.getState().dismissToast();
    setAttempt(attempt + 1);
    void form.handleSubmit(send)(event);
  };
  return (
    <form id={FORM_ID} className={CARD} action={path} method="post" noValidate onSubmit={submit}>
      <FormIntro words={words} />
      {problems.length > 0 && (
        <ErrorSummary title={words.problem} problems={problems} attempt={attempt} />
      )}
      <RegisterControls
        words={words}
        control={(name) => form.register(name)}
        messages={messagesOf(errors)}
        trap={
          <RobotTrap
            label={words.trap}
            id={idOf('message')}
            message={errors.message?.message}
            {...form.register('message')}
          />
        }
        isSending={isSubmitting}
      />
    </form>
  );
}

/** The prerendered form, which this one replaces. */
const formInPage = () =>
  typeof document === 'undefined' ? null : document.querySelector<HTMLFormElement>(`#${FORM_ID}`);

const messagesOf = (errors: FieldErrors<Fields>): Partial<Record<FieldName, string | undefined>> =>
  Object.fromEntries(FIELDS.map((name) => [name, errors[name]?.message]));

/** The fields' errors in the order of the form; without any, the reason why the last attempt failed. */
function formErrors(
  errors: FieldErrors<Fields>,
  failure: Error | null,
  words: FormWords,
): FormError[] {
  const problems = FIELDS.flatMap((name) => {
    const message = errors[name]?.message;
    return message ? [{ id: idOf(name), message }] : [];
  });
  return problems.length === 0 && failure ? [{ message: sentenceOf(failure, words) }] : problems;
}

/** Says at once that something is wrong, because a screen reader reads the title first. */
function useErrorTitle(isFaulty: boolean, prefix: string): void {
  useEffect(() => {
    if (!isFaulty) return;
    const { title } = document;
    document.title = `${prefix} ${title}`;
    return () => {
      document.title = title;
    };
  }, [isFaulty, prefix]);
}

function celebrate(words: FormWords): void {
  clearDraft();
  emitUiEvent('registration_succeeded');
  siteStore.getState().addToast(words.successful);
}

/** Only our server's words are meant for visitors: a proxy answers with a page, a browser with "Failed to fetch". */
const isOurs = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code !== null;

/** Words for the toast: the specification's message, which starts with the status code. */
const messageOf = (error: Error, { fallback }: FormWords): string =>
  isOurs(error) ? error.message : fallback;

/** Words for the form: without the status code, which tells a visitor nothing. */
const sentenceOf = (error: Error, { fallback }: FormWords): string =>
  isOurs(error) ? error.text : fallback;

function explain(error: Error, retry: () => void, words: FormWords): void {
  emitUiEvent('registration_failed');
  siteStore.getState().addToast({
    title: words.failed,
    description: messageOf(error, words),
    action: { label: words.tryAgain, onSelect: retry },
    variant: 'destructive',
  });
}

/**
 * The registration form, if site.json enables it. The success screen replaces it once it is sent.
 */
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '#browser/api.ts';
import { pageStore } from '#browser/page-store.ts';
import { printable } from '#browser/printable.ts';
import { track } from '#browser/track.ts';
import { useLanguage, useWords } from '#components/language.tsx';
import { useRegister } from '#components/queries/use-register.ts';
import { RegisterSuccess } from '#components/register-success.tsx';
import { takeFocus } from '#components/take-focus.ts';
import { registerPath } from '#contract/language.ts';
import { makeRegisterBodySchema, readCheckboxes } from '#contract/register.schema.ts';
import type { FormWords } from '#words/en/form.ts';
import { FORM } from '#words/form.ts';
import { preloadToasts } from '../load-toasts.ts';
import { clearDraft, restoreDraft, saveDraft } from './form-draft.ts';
import { type FieldErrors, RegisterControls } from './register-controls.tsx';
import { idOf } from './text-field.tsx';

/** The most characters of a server's answer in a toast. */
const TOAST_LENGTH = 200;

const CARD = 'grid gap-6 border-pen border-ink bg-card p-[clamp(1.25rem,4vw,2.5rem)]';

export function RegisterForm() {
  const words = useWords(FORM);
  const path = registerPath(useLanguage());
  const { register, errors, attempt, submit, input } = useForm(path, words);
  const problems = problemsOf(errors, register.error, words);
  useErrorTitle(problems.length > 0, words.error);
  if (register.isSuccess) {
    return (
      <div className={`${CARD} print:border-0 print:p-0`} data-registered="">
        {/*
         * Keeps the heading from being the first text of the confirmation. When the focused button
         * leaves the page, the screen reader Orca moves to the first text in place of the form, in
         * silence. If this text is the heading, Orca is also silent when the heading gets the focus.
         */}
        <p className="sr-only">{words.successful.title}</p>
        <RegisterSuccess words={words} />
      </div>
    );
  }
  return (
    <form
      className={CARD}
      ref={restoreDraft}
      action={path}
      method="post"
      noValidate
      onSubmit={submit}
      onInput={input}
    >
      {/* The purpose of the form, and how it differs from the call to action. */}
      <div className="grid gap-2">
        <h3>{words.title}</h3>
        <p>{words.purpose}</p>
      </div>
      {problems.length > 0 && (
        // Each attempt shows a new one, which takes the focus.
        <ErrorSummary key={attempt} title={words.problem} problems={problems} />
      )}
      <RegisterControls words={words} errors={errors} isSending={register.isPending} />
    </form>
  );
}

interface FormProblem {
  /** Id of the control with the error; absent where the error belongs to no control. */
  id?: string;
  message: string;
}

/**
 * Lists above the form why it was not sent. Takes the focus when it appears, and links to each
 * control with an error.
 */
function ErrorSummary({ title, problems }: { title: string; problems: FormProblem[] }) {
  return (
    <div
      className="grid gap-2 border-bold border-error p-5"
      ref={takeFocus}
      tabIndex={-1}
      role="alert"
    >
      <h3>{title}</h3>
      <ul className="grid gap-2">
        {problems.map(({ id, message }) => (
          <li key={message}>
            {id ? (
              <a className="inline-flex min-h-11 items-center font-bold text-error" href={`#${id}`}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Checks and sends the form. The browser keeps the fields; only their errors are state. */
function useForm(path: string, words: FormWords) {
  const register = useRegister(path);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [attempt, setAttempt] = useState(0);

  const check = (form: HTMLFormElement) => {
    const fields = readCheckboxes(Object.fromEntries(new FormData(form)));
    const { data, error } = makeRegisterBodySchema(words.messages).safeParse(fields);
    setErrors(firstErrors(error?.issues ?? []));
    return data;
  };
  const send = (form: HTMLFormElement) => {
    if (register.isSending()) return;
    pageStore.getState().dismissToast();
    setAttempt((count) => count + 1);
    // An earlier failure is no news.
    register.reset();
    const data = check(form);
    if (!data) return;
    const { message: _, ...registration } = data;
    track('registration_submitted', {});
    register.mutate(registration, {
      onSuccess: () => celebrate(words),
      onError: (error) => explain(error, () => send(form), words),
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(event.currentTarget);
  };
  const input = ({ currentTarget: form }: FormEvent<HTMLFormElement>) => {
    saveDraft(form);
    preloadToasts();
    // Only corrections: a new summary would take the focus from the field. The next attempt checks
    // all again.
    if (Object.keys(errors).length > 0) check(form);
  };
  return { register, errors, attempt, submit, input };
}

/** The first message of each field, in the order of the form. */
function firstErrors(issues: readonly { path: PropertyKey[]; message: string }[]): FieldErrors {
  const errors: Record<PropertyKey, string> = {};
  for (const { path, message } of issues) errors[path[0] ?? ''] ??= message;
  return errors;
}

/** The fields' errors; without any, the reason why the last attempt failed. */
function problemsOf(errors: FieldErrors, failure: Error | null, words: FormWords): FormProblem[] {
  const names = Object.keys(errors) as (keyof FieldErrors)[];
  if (names.length > 0) {
    return names.map((name) => ({ id: idOf(name), message: errors[name] ?? '' }));
  }
  // Without the status code, which means nothing to a visitor.
  return failure ? [{ message: isOurs(failure) ? failure.text : words.fallback }] : [];
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
  track('registration_succeeded', {});
  // The confirmation, which takes the focus, says the same.
  pageStore.getState().addToast({ ...words.successful, isSilent: true });
}

function explain(error: Error, retry: () => void, words: FormWords): void {
  track('registration_failed', {});
  pageStore.getState().addToast({
    title: words.failed,
    description: answerOf(error) || words.fallback,
    action: { label: words.tryAgain, onSelect: retry },
    variant: 'destructive',
    // The summary, which takes the focus, says it in words for visitors.
    isSilent: true,
  });
}

/**
 * The specification's message, `status code: text`, as far as it fits into a toast. Empty if no
 * server sent a text.
 */
function answerOf(error: Error): string {
  const hasText = error instanceof ApiError && printable(error.text, TOAST_LENGTH) !== '';
  return hasText ? printable(error.message, TOAST_LENGTH) : '';
}

/**
 * Only our server's words are meant for the form: a proxy answers with a page, a browser with
 * "Failed to fetch".
 */
const isOurs = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code !== null;

/** The registration form, for sites whose site.json has `registerForm`. */
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
import { showConfirmation } from '../place-toast.ts';
import { preloadToasts } from '../toasts.ts';
import { clearDraft, restoreDraft, saveDraft } from './form-draft.ts';
import { type FieldErrors, RegisterControls } from './register-controls.tsx';
import { idOf } from './text-field.tsx';

/** Upper bound in characters for a server's message in a toast. */
const MAX_TOAST_LENGTH = 200;

/** Classes of the card around the form, and around the confirmation in its place. */
const CARD = 'grid gap-6 border-pen border-ink bg-card p-[clamp(1.25rem,4vw,2.5rem)]';

/** The form; after the server has accepted it, a confirmation in its place. */
export function RegisterForm() {
  const words = useWords(FORM);
  const path = registerPath(useLanguage());
  const { register, errors, attempt, submit, input } = useForm(path, words);
  const problems = problemsOf(errors, register.error, words);
  useErrorTitle(problems.length > 0, words.error);
  if (register.isSuccess) {
    return (
      <div
        // The "!" also removes the room for the toast, which place-toast.ts sets as a style.
        className={`${CARD} print:border-0 print:p-0!`}
        ref={showConfirmation}
        data-registered=""
      >
        {/*
         * Work-around for the screen reader Orca, which must speak the heading when it gets the
         * focus. When the focused button leaves the page, Orca moves silently to the first text in
         * place of the form. If that were the heading, Orca would take it as spoken.
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
      {/* What the form is for, and how it differs from the call to action. */}
      <div className="grid gap-2">
        <h3>{words.title}</h3>
        <p>{words.purpose}</p>
      </div>
      {problems.length > 0 && (
        // A new key for each attempt mounts a new summary, which takes the focus.
        <ErrorSummary key={attempt} title={words.problem} problems={problems} />
      )}
      <RegisterControls words={words} errors={errors} isSending={register.isPending} />
    </form>
  );
}

interface FormProblem {
  /** Id of the field with the error; undefined if the problem belongs to no field. */
  id?: string;
  message: string;
}

/**
 * Lists above the form why it was not sent, with a link to each field that has an error. It takes
 * the focus when it appears.
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

/**
 * Checks and sends the form. The fields are uncontrolled inputs: React keeps only their errors.
 *
 * @param path of the API
 * @returns `register`: the mutation of TanStack Query; `errors`: messages by field; `attempt`:
 * number of attempts so far; `submit` and `input`: the form's event handlers
 */
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
    // Clears the failure of an earlier attempt.
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
    // While a summary is shown, each input updates it. Without one, nothing is checked before the
    // next attempt: a new summary would take the focus from the field.
    if (Object.keys(errors).length > 0) check(form);
  };
  return { register, errors, attempt, submit, input };
}

/** Returns the first message of each field with an issue, in the order of the form. */
function firstErrors(issues: readonly { path: PropertyKey[]; message: string }[]): FieldErrors {
  const errors: Record<PropertyKey, string> = {};
  for (const { path, message } of issues) errors[path[0] ?? ''] ??= message;
  return errors;
}

/** Returns the errors of the fields; if there are none, the reason why the last attempt failed. */
function problemsOf(errors: FieldErrors, failure: Error | null, words: FormWords): FormProblem[] {
  const names = Object.keys(errors) as (keyof FieldErrors)[];
  if (names.length > 0) {
    return names.map((name) => ({ id: idOf(name), message: errors[name] ?? '' }));
  }
  // The message has no status code, which means nothing to a visitor.
  return failure ? [{ message: isOurs(failure) ? failure.text : words.fallback }] : [];
}

/**
 * Puts a prefix before the page's title while the form has errors: screen readers read it first.
 */
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
  // Silent, because the confirmation takes the focus and says the same.
  pageStore.getState().addToast({ ...words.successful, isSilent: true });
}

function explain(error: Error, retry: () => void, words: FormWords): void {
  track('registration_failed', {});
  pageStore.getState().addToast({
    title: words.failed,
    description: answerOf(error) || words.fallback,
    action: { label: words.tryAgain, onSelect: retry },
    variant: 'destructive',
    // Silent, because the error summary takes the focus and says the same.
    isSilent: true,
  });
}

/**
 * Returns the description of the error toast as the specification has it: `status code: text`, cut
 * to MAX_TOAST_LENGTH. Empty if the server did not answer, or sent no text.
 */
function answerOf(error: Error): string {
  const hasText = error instanceof ApiError && printable(error.text, MAX_TOAST_LENGTH) !== '';
  return hasText ? printable(error.message, MAX_TOAST_LENGTH) : '';
}

/**
 * Whether the error is an answer of the site's server. Only its text is a sentence for visitors: a
 * proxy answers with a page, and the browser's own error is "Failed to fetch".
 */
const isOurs = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code !== null;

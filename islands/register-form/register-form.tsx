/** The registration form, if site.config.ts enables it. The success screen replaces it once it is sent. */

import './zod-without-eval.ts';
import { site } from 'virtual:site';
import { zodResolver } from '@hookform/resolvers/zod';
import { type FormEvent, useEffect, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { siteStore } from '#browser/site.ts';
import { emitUiEvent } from '#browser/ui-events.ts';
import { RegisterSuccess } from '#components/register-success.tsx';
import { apiUrl } from '#contract/api-url.ts';
import { type RegisterFields, registerBodySchema } from '#contract/register.schema.ts';
import { withArticle } from '#contract/with-article.ts';
import { ApiError } from '#queries/api-request.ts';
import { useRegister } from '#queries/use-register.ts';
import { ErrorSummary, type FormError } from './error-summary.tsx';
import { useFillTime } from './fill-time.ts';
import { clearDraft, loadDraft, saveDraft } from './form-draft.ts';
import { describedBy, FieldMessage, TextField } from './form-field.tsx';
import { FormIntro, TermsLink } from './form-words.tsx';
import { RobotTrap } from './robot-trap.tsx';

const SMA_TYPES = ['Type 1', 'Type 2', 'Type 3', 'Type 4', 'Other'];
const FIELDS = ['firstName', 'lastName', 'email', 'message', 'smaType', 'agreedToTerms'] as const;
const FORM_ID = 'register-form';

const CARD =
  'mt-12 grid max-w-form gap-6 border-pen border-ink bg-card p-[clamp(1.25rem,4vw,2.5rem)]';
const CHOICE = 'flex min-h-12 items-center gap-3.5';
const MARK = 'size-6 flex-none accent-link';

/** The specification's fields, and the trap. */
type Fields = RegisterFields & { message: string };

const idOf = (field: keyof Fields) => `register-${field}`;

export function RegisterForm() {
  const [defaultValues] = useState(() => ({ ...loadDraft(formInPage()), message: '' }));
  const form = useForm<Fields>({
    resolver: zodResolver(registerBodySchema) as never,
    defaultValues,
    shouldFocusError: false,
  });
  const fillTime = useFillTime();
  const register = useRegister();
  const [attempt, setAttempt] = useState(0);
  const { errors, isSubmitting } = form.formState;
  const problems = formErrors(errors, register.error);

  useEffect(
    () =>
      form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(values) }),
    [form],
  );
  useErrorTitle(problems.length > 0);

  if (register.isSuccess) {
    return (
      <div className={CARD} data-registered="">
        <RegisterSuccess />
      </div>
    );
  }

  const send = async ({ message: _, ...fields }: Fields) => {
    emitUiEvent('registration_submitted');
    const filledMs = await fillTime();
    await register
      .mutateAsync({ ...fields, filledMs })
      .then(celebrate, (error) => explain(error, submit));
  };
  const submit = (event?: FormEvent) => {
    if (isSubmitting) return event?.preventDefault();
    siteStore.getState().dismissToast();
    setAttempt(attempt + 1);
    void form.handleSubmit(send)(event);
  };
  const field = (name: 'firstName' | 'lastName' | 'email' | 'message') => ({
    id: idOf(name),
    message: errors[name]?.message,
    ...form.register(name),
  });
  return (
    <form
      id={FORM_ID}
      className={CARD}
      action={apiUrl('/api/register')}
      method="post"
      noValidate
      onSubmit={submit}
    >
      <FormIntro />
      {problems.length > 0 && <ErrorSummary problems={problems} attempt={attempt} />}
      <TextField label="First name" autoComplete="given-name" {...field('firstName')} />
      <TextField label="Last name" autoComplete="family-name" {...field('lastName')} />
      <TextField
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="email"
        {...field('email')}
      />
      <RobotTrap label="Message (leave this empty)" {...field('message')} />
      <fieldset className="grid gap-2">
        <legend className="font-bold">SMA type (optional)</legend>
        {SMA_TYPES.map((type) => (
          <label className={CHOICE} key={type}>
            <input type="radio" value={type} className={MARK} {...form.register('smaType')} />
            {type}
          </label>
        ))}
        <label className={CHOICE}>
          <input type="radio" value="" className={MARK} {...form.register('smaType')} />
          Prefer not to say
        </label>
      </fieldset>
      <div className="grid justify-items-start gap-2">
        <TermsLink />
        <label className={CHOICE}>
          <input
            type="checkbox"
            className={MARK}
            id={idOf('agreedToTerms')}
            {...describedBy(idOf('agreedToTerms'), errors.agreedToTerms?.message)}
            {...form.register('agreedToTerms')}
          />
          I agree to the terms and conditions
        </label>
        <FieldMessage id={idOf('agreedToTerms')}>{errors.agreedToTerms?.message}</FieldMessage>
      </div>
      <button
        type="submit"
        className="min-h-14 rounded-control bg-button px-8 py-3 text-center font-bold text-on-button hover:bg-button-hover edged:border-fine"
        aria-disabled={isSubmitting}
      >
        {isSubmitting ? 'Sending…' : 'Register'}
      </button>
    </form>
  );
}

/** The prerendered form, which this one replaces. */
const formInPage = () =>
  typeof document === 'undefined' ? null : document.querySelector<HTMLFormElement>(`#${FORM_ID}`);

/** The fields' errors in the order of the form; without any, the reason why the last attempt failed. */
function formErrors(errors: FieldErrors<Fields>, failure: Error | null): FormError[] {
  const problems = FIELDS.flatMap((name) => {
    const message = errors[name]?.message;
    return message ? [{ id: idOf(name), message }] : [];
  });
  return problems.length === 0 && failure ? [{ message: sentenceOf(failure) }] : problems;
}

/** Says at once that something is wrong, because a screen reader reads the title first. */
function useErrorTitle(isFaulty: boolean): void {
  useEffect(() => {
    if (!isFaulty) return;
    const { title } = document;
    document.title = `Error: ${title}`;
    return () => {
      document.title = title;
    };
  }, [isFaulty]);
}

function celebrate(): void {
  clearDraft();
  emitUiEvent('registration_succeeded');
  siteStore.getState().addToast({
    title: 'Registration Successful!',
    description: `Welcome to ${withArticle(site.productName)}. Check your email for next steps.`,
  });
}

const FALLBACK = 'Something went wrong. Please try again.';

/** Only our server's words are meant for visitors: a proxy answers with a page, a browser with "Failed to fetch". */
const isOurs = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code !== null;

/** Words for the toast: the specification's message, which starts with the status code. */
const messageOf = (error: Error): string => (isOurs(error) ? error.message : FALLBACK);

/** Words for the form: without the status code, which tells a visitor nothing. */
const sentenceOf = (error: Error): string => (isOurs(error) ? error.text : FALLBACK);

function explain(error: Error, retry: () => void): void {
  emitUiEvent('registration_failed');
  siteStore.getState().addToast({
    title: 'Registration Failed',
    description: messageOf(error),
    action: { label: 'Try again', onSelect: retry },
    variant: 'destructive',
  });
}

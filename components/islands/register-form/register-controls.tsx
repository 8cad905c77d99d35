import type { ComponentProps, ReactNode } from 'react';
import type { FormWords } from '#words/en/form.ts';
import { describedBy, FieldMessage, TextField } from './form-field.tsx';
import { Entries, TermsLink } from './form-words.tsx';

/** The form's fields in their order: the specification's, and the trap. */
export const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'message',
  'smaType',
  'agreedToTerms',
] as const;
export type FieldName = (typeof FIELDS)[number];

export const idOf = (field: FieldName) => `register-${field}`;

const CHOICE = 'flex min-h-12 items-center gap-3.5';
const MARK = 'size-6 flex-none accent-link';

interface Props {
  words: FormWords;
  /** Returns the attributes that connect a control to the form. */
  control: (name: FieldName) => ComponentProps<'input'>;
  /** The message of each field with an error. */
  messages: Partial<Record<FieldName, string | undefined>>;
  trap: ReactNode;
  isSending?: boolean;
}

/** The controls of the registration form, and its button. */
export function RegisterControls({ words, control, messages, trap, isSending = false }: Props) {
  const field = (name: FieldName) => ({
    ...control(name),
    id: idOf(name),
    message: messages[name],
  });
  return (
    <>
      <TextField label={words.firstName} autoComplete="given-name" {...field('firstName')} />
      <TextField label={words.lastName} autoComplete="family-name" {...field('lastName')} />
      <TextField
        label={words.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        {...field('email')}
      />
      {trap}
      <fieldset className="grid gap-2" id={idOf('smaType')}>
        <legend className="font-bold">{words.smaType}</legend>
        {Object.entries(words.smaTypes).map(([value, label]) => (
          <label className={CHOICE} key={value}>
            <input type="radio" value={value} className={MARK} {...control('smaType')} />
            {label}
          </label>
        ))}
      </fieldset>
      <div className="grid justify-items-start gap-2">
        <TermsLink words={words} />
        <label className={CHOICE}>
          <input
            type="checkbox"
            className={MARK}
            id={idOf('agreedToTerms')}
            {...describedBy(idOf('agreedToTerms'), messages.agreedToTerms)}
            {...control('agreedToTerms')}
          />
          {words.agree}
        </label>
        <FieldMessage id={idOf('agreedToTerms')}>{messages.agreedToTerms}</FieldMessage>
      </div>
      <Entries words={words} />
      <button
        type="submit"
        className="min-h-14 rounded-control bg-button px-8 py-3 font-bold text-on-button hover:bg-button-hover edged:border-fine"
        aria-disabled={isSending}
      >
        {isSending ? words.sending : words.register}
      </button>
    </>
  );
}

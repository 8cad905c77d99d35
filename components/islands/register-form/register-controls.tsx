/** The fields of the registration form, and its submit button. */
import { site } from 'virtual:site';
import { useState } from 'react';
import { usePath } from '#components/language.tsx';
import type { RegisterField } from '#contract/register.schema.ts';
import type { FormWords } from '#words/en/form.ts';
import { EmailField } from './email-field.tsx';
import { connect, FieldError, type FieldProps, idOf, TextField } from './text-field.tsx';

/** Error messages by field. A valid field has none. */
export type FieldErrors = Partial<Record<RegisterField, string>>;

/** Classes of the label around a radio button or checkbox. */
const CHOICE = 'flex min-h-12 items-center gap-3.5';
/** Classes of a radio button or checkbox. */
const BOX = 'size-6 flex-none accent-link';

interface Props {
  words: FormWords;
  errors: FieldErrors;
  isSending: boolean;
}

export function RegisterControls({ words, errors, isSending }: Props) {
  const path = usePath();
  const field = (name: 'firstName' | 'lastName' | 'email') => ({
    name,
    label: words[name],
    error: errors[name],
  });
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-6">
        <TextField {...field('firstName')} autoComplete="given-name" />
        <TextField {...field('lastName')} autoComplete="family-name" />
      </div>
      <EmailField {...field('email')} words={words} />
      <RobotTrap name="message" label={words.trap} error={errors.message} />
      <SmaTypes words={words} />
      <Consent words={words} error={errors.agreedToTerms} />
      <p>
        {words.entries}
        <a className="flex min-h-11 w-fit items-center" href={path('/help/privacy/')}>
          {words.more}
        </a>
      </p>
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

function SmaTypes({ words }: { words: FormWords }) {
  return (
    <fieldset id={idOf('smaType')}>
      <legend className="font-bold">{words.smaType}</legend>
      <div className="mt-2 grid gap-x-6 gap-y-2 sm:grid-cols-[1fr_minmax(13rem,1fr)]">
        {Object.entries(words.smaTypes).map(([value, label]) => (
          <label className={CHOICE} key={value}>
            <input
              type="radio"
              name="smaType"
              value={value}
              className={BOX}
              defaultChecked={value === ''}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/**
 * The link to the terms, and the checkbox below. The link is not inside the checkbox's label,
 * because a click on a label ticks the box.
 */
function Consent({ words, error }: { words: FormWords; error: string | undefined }) {
  return (
    <div className="grid justify-items-start gap-2">
      <a className="inline-block py-2" href={site.termsUrl} target="_blank" rel="noopener">
        {`${words.terms} `}
        <span>{words.newTab}</span>
      </a>
      <label className={CHOICE}>
        <input type="checkbox" className={BOX} {...connect('agreedToTerms', error)} />
        {words.agree}
      </label>
      <FieldError name="agreedToTerms">{error}</FieldError>
    </div>
  );
}

/**
 * A honeypot: a field that people cannot see and robots fill in. Its name is one that password
 * managers do not know. If an extension fills it in anyway, CSS shows the field, so that a visitor
 * can empty it. Once its error is reported, the keyboard can reach it too.
 */
function RobotTrap(field: FieldProps) {
  const [isShown, setShown] = useState(false);
  // Once shown, the field stays, because it must not vanish while a visitor empties it.
  if (field.error && !isShown) setShown(true);
  return (
    <div
      className={isShown ? undefined : 'not-has-[input:not(:placeholder-shown)]:sr-only'}
      aria-hidden={!isShown}
      data-trap=""
    >
      <TextField placeholder=" " autoComplete="off" tabIndex={isShown ? 0 : -1} {...field} />
    </div>
  );
}

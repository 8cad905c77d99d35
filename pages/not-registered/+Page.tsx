import { Illustration } from '#components/illustration.tsx';
import { useLanguage, useWords } from '#components/language.tsx';
import { Notice, NoticeTitle, WIDE_CARD } from '#components/notice.tsx';
import { registerPath } from '#contract/register-path.ts';
import {
  FIELDS,
  type FieldName,
  idOf,
  RegisterControls,
} from '#islands/register-form/register-controls.tsx';
import { RobotTrap } from '#islands/register-form/robot-trap.tsx';
import { FORM, FORM_ANSWERS } from '#words/form.ts';

/** Where the server inserts a message. */
const placeOf = (name: FieldName | 'form') => `{{${name}}}`;
const MESSAGES = Object.fromEntries(FIELDS.map((name) => [name, placeOf(name)]));

/** Where the server inserts what the visitor typed or chose. */
const control = (name: FieldName, value?: string) => ({
  name,
  ...(name === 'smaType' || name === 'agreedToTerms'
    ? { 'data-choice': `${name}=${value ?? 'on'}` }
    : { 'data-value': name }),
});

/**
 * The server's answer to an invalid form without script: the same form, with an error at every field. The server leaves out
 * the errors that do not apply, and fills the form (server/registrations/form-answers.ts). The page has no URL of its own.
 */
export function Page() {
  const words = useWords(FORM);
  const { goBack } = useWords(FORM_ANSWERS);
  const path = registerPath(useLanguage());
  return (
    <Notice drawing={<Illustration name="letter" className="mx-auto w-96" />} columns={WIDE_CARD}>
      <NoticeTitle>{words.problem}</NoticeTitle>
      <ul className="grid list-disc gap-2 pl-6">
        {FIELDS.map((name) => (
          <li key={name}>
            <a className="inline-flex py-2 font-bold text-error" href={`#${idOf(name)}`}>
              {placeOf(name)}
            </a>
          </li>
        ))}
        <li>{placeOf('form')}</li>
      </ul>
      <p data-unread="">{goBack}</p>
      <form className="grid w-full gap-6" action={path} method="post" noValidate>
        <RegisterControls
          words={words}
          control={control}
          messages={MESSAGES}
          trap={
            <RobotTrap
              label={words.trap}
              id={idOf('message')}
              message={placeOf('message')}
              {...control('message')}
            />
          }
        />
      </form>
    </Notice>
  );
}

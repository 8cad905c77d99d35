import { Illustration } from '#components/illustration.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { Notice, WIDE_CARD } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { FORM } from '#words/form.ts';
import { LANDING } from '#words/index.ts';

/**
 * The server's answer to an invalid form without script. The server inserts the messages (server/registrations/register.ts).
 * The page has no URL of its own.
 */
export function Page() {
  const { problem } = useWords(FORM);
  const { goBack, emptyForm } = useWords(LANDING).notRegistered;
  const path = usePath();
  return (
    <Notice drawing={<Illustration name="letter" className="mx-auto w-96" />} columns={WIDE_CARD}>
      <h1>{problem}</h1>
      <ul className="grid list-disc gap-2 pl-6 font-bold text-error">
        <li>{'{{messages}}'}</li>
      </ul>
      <p>{goBack}</p>
      <QuietLink href={path('/#register')}>{emptyForm}</QuietLink>
    </Notice>
  );
}

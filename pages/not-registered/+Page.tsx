import { Illustration } from '#components/illustration.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { Notice, NoticeTitle, WIDE_CARD } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { FORM, FORM_ANSWERS } from '#words/form.ts';

/**
 * The server's answer to an invalid form without script. The server inserts the messages (server/registrations/register.ts).
 * The page has no URL of its own.
 */
export function Page() {
  const { problem } = useWords(FORM);
  const { goBack, emptyForm } = useWords(FORM_ANSWERS);
  const path = usePath();
  return (
    <Notice drawing={<Illustration name="letter" className="mx-auto w-96" />} columns={WIDE_CARD}>
      <NoticeTitle>{problem}</NoticeTitle>
      <ul className="grid list-disc gap-2 pl-6 font-bold text-error">
        <li>{'{{messages}}'}</li>
      </ul>
      <p>{goBack}</p>
      <QuietLink href={path('/#register')}>{emptyForm}</QuietLink>
    </Notice>
  );
}

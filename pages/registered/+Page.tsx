import { Illustration } from '#components/illustration.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { Notice, WIDE_CARD } from '#components/notice.tsx';
import { QuietLink } from '#components/quiet-button.tsx';
import { RegisterSuccess } from '#components/register-success.tsx';
import { FORM } from '#words/form.ts';
import { LANDING } from '#words/index.ts';

/** The server's answer to a form without script. The page has no URL of its own. */
export function Page() {
  const { home } = useWords(LANDING);
  const path = usePath();
  return (
    <Notice drawing={<Illustration name="together" className="mx-auto w-96" />} columns={WIDE_CARD}>
      <RegisterSuccess words={useWords(FORM)} level="h1" />
      <QuietLink href={path('/')}>{home}</QuietLink>
    </Notice>
  );
}

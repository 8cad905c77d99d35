import { usePath, useWords } from '#components/language.tsx';
import { QuietLink } from '#components/links.tsx';
import { Notice } from '#components/notice.tsx';
import { RegisterSuccess } from '#components/register-success.tsx';
import { FORM } from '#words/form.ts';
import { LANDING } from '#words/index.ts';

/**
 * The page that answers a valid registration form where scripts are off. It has no URL of its own.
 */
export function Page() {
  const { home } = useWords(LANDING);
  const path = usePath();
  return (
    <Notice drawing="together">
      <RegisterSuccess words={useWords(FORM)} level="h1" />
      <QuietLink href={path('/')}>{home}</QuietLink>
    </Notice>
  );
}

import { usePath, useWords } from '#components/language.tsx';
import { QuietLink } from '#components/links.tsx';
import { Notice } from '#components/notice.tsx';
import { FORM } from '#words/form.ts';
import { LANDING } from '#words/index.ts';

/**
 * The page that answers an invalid registration form where scripts are off. The server inserts the
 * error messages (server/registrations/register.ts). The page has no URL of its own.
 */
export function Page() {
  const { problem } = useWords(FORM);
  const { goBack, emptyForm } = useWords(LANDING).notRegistered;
  const path = usePath();
  return (
    <Notice drawing="letter">
      <h1>{problem}</h1>
      <ul className="grid list-disc gap-2 pl-6 font-bold text-error">
        <li>{'{{messages}}'}</li>
      </ul>
      <p>{goBack}</p>
      <QuietLink href={path('/#register')}>{emptyForm}</QuietLink>
    </Notice>
  );
}

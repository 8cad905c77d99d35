import { usePath, useWords } from '#components/language.tsx';
import { QuietLink } from '#components/links.tsx';
import { Notice } from '#components/notice.tsx';
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import { HEAD, LANDING, STAND_IN } from '#words/index.ts';

/**
 * The stand-in for the partner's portal, privacy policy and terms, for a site without a portal. The
 * page has the text of all three. The server removes the parts (`data-part`) that the link does not
 * ask for, and inserts the link's code and ref (server/links/portal-stand-in/portal-stand-in.ts).
 */
export function Page() {
  const words = useWords(STAND_IN);
  const { [CREATE_ACCOUNT_PATH]: title = '' } = useWords(HEAD).titles;
  const { home } = useWords(LANDING);
  const path = usePath();
  return (
    <Notice drawing="door">
      <h1>{title}</h1>
      {Object.entries(words.pages).map(([name, text]) => (
        <p key={name} data-part={name} className="text-lede">
          {text}
        </p>
      ))}
      <p>{words.close}</p>
      <p data-part="code">
        {words.code} <b>{'{{code}}'}</b>
      </p>
      <p data-part="ref">
        {words.ref} <b>{'{{ref}}'}</b>
      </p>
      <p className="text-small text-ink-2">{words.operator}</p>
      <QuietLink href={path('/')}>{home}</QuietLink>
    </Notice>
  );
}

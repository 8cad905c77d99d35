import { site } from 'virtual:site';
import { usePath } from '#components/language.tsx';
import type { FormWords } from '#words/en/form.ts';

/** What the form is for, and how it differs from the call to action above it. */
export function FormIntro({ words }: { words: FormWords }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-h3">{words.title}</h3>
      <p>{words.purpose}</p>
    </div>
  );
}

/** What happens to the entries, before the visitor sends them. */
export function Entries({ words }: { words: FormWords }) {
  return (
    <p>
      {words.entries}{' '}
      <a className="inline-flex min-h-11 items-center" href={usePath()('/help/privacy/')}>
        {words.more}
      </a>
    </p>
  );
}

/** Comes before the checkbox, because visitors read terms before they agree to them. Not in its label, because a press on the label ticks the box. */
export function TermsLink({ words }: { words: FormWords }) {
  return (
    <a className="inline-block py-2" href={site.termsUrl} target="_blank" rel="noopener">
      {`${words.terms} `}
      <span>{words.newTab}</span>
    </a>
  );
}

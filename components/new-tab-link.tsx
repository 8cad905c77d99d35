import { LANDING } from '#words/index.ts';
import { useWords } from './language.tsx';

/** A link to another site. It says so in words, not with an icon, and is high enough for one finger. */
export function NewTabLink({ href, children }: { href: string; children: string }) {
  const { newTab } = useWords(LANDING);
  return (
    <a className="inline-block py-2" href={href} target="_blank" rel="noopener">
      {children} <span>{newTab}</span>
    </a>
  );
}

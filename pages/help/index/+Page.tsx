import { HelpPage } from '#components/help-page.tsx';
import { useWords } from '#components/language.tsx';
import { HELP } from '#words/help.ts';

export function Page() {
  const words = useWords(HELP.hub);
  return <HelpPage words={words} />;
}

import type { FormWords } from '#words/en/form.ts';
import { takeFocus } from './take-focus.ts';

interface Props {
  words: FormWords;
  level?: 'h1' | 'h3';
}

/** Replaces the form, and stays, because a visitor may miss the toast. */
export function RegisterSuccess({ words, level: Heading = 'h3' }: Props) {
  return (
    <>
      <Heading ref={takeFocus} tabIndex={-1}>
        {words.welcome}
      </Heading>
      <p>{words.mailFollows}</p>
    </>
  );
}

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
      {/* Screen readers then speak the next step too, and not only what has the focus. */}
      <Heading ref={takeFocus} tabIndex={-1} aria-describedby="next-step">
        {words.welcome}
      </Heading>
      <p id="next-step">{words.mailFollows}</p>
    </>
  );
}

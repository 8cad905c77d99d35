import type { FormWords } from '#words/en/form.ts';
import { takeFocus } from './take-focus.ts';

interface Props {
  words: FormWords;
  level?: 'h1' | 'h3';
}

/** The confirmation in place of the form. It stays, because a visitor may miss the toast. */
export function RegisterSuccess({ words, level: Heading = 'h3' }: Props) {
  return (
    <>
      {/* With the description, screen readers also speak the next step when the focus arrives. */}
      <Heading ref={takeFocus} tabIndex={-1} aria-describedby="next-step">
        {words.welcome}
      </Heading>
      <p id="next-step">{words.mailFollows}</p>
    </>
  );
}

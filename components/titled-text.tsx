import type { ReactNode } from 'react';

interface Props {
  title: string;
  text: ReactNode;
  /** Spoken before the title, such as the number of a step, which others see beside it. */
  spoken?: string;
}

/** A short heading with its text, for problems, steps, benefits and promises. */
export function TitledText({ title, text, spoken }: Props) {
  return (
    <>
      <h3>
        {spoken && <span className="sr-only">{spoken} </span>}
        {title}
      </h3>
      <p className="mt-1.5 text-balance">{text}</p>
    </>
  );
}

/** Several titled texts, one below the other, with a pen stroke above each. */
export function RuledList(props: {
  items: readonly { title: string; text: ReactNode }[];
  className: string;
}) {
  return (
    <ul className={props.className}>
      {props.items.map((item) => (
        <li key={item.title} className="border-t-pen py-5 sm:py-7" data-reveal="">
          <TitledText {...item} />
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';

interface Props {
  title: string;
  text: ReactNode;
  /**
   * Text that only screen readers read, before the title: the number of a step, for example, which
   * sighted visitors see beside the title.
   */
  spoken?: string;
}

/** A heading of the third level with one paragraph. */
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

/** A list of titled texts with a rule above each. */
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

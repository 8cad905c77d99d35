import type { ReactNode } from 'react';

/** A short heading with its text, for problems, steps, benefits and promises. */
export function TitledText({ title, text }: { title: string; text: ReactNode }) {
  return (
    <>
      <h3>{title}</h3>
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

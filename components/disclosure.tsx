import type { ReactNode } from 'react';

/** Words that are folded away until somebody wants them; without script too. On paper all are open. */
export function Disclosure(props: {
  summary: string;
  id?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={`mt-3 ${props.className ?? ''}`.trim()} id={props.id}>
      <summary className="flex min-h-11 items-center gap-2">{props.summary}</summary>
      {props.children}
    </details>
  );
}

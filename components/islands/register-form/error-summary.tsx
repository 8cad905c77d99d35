import { takeFocus } from '#components/register-success.tsx';

export interface FormProblem {
  /** Id of the control with the error; absent where the error belongs to no control. */
  id?: string;
  message: string;
}

/** Lists above a form why it was not sent. Takes the focus when it appears, and links to each control with an error. */
export function ErrorSummary({ title, problems }: { title: string; problems: FormProblem[] }) {
  return (
    <div
      className="grid gap-2 border-bold border-error p-5"
      ref={takeFocus}
      tabIndex={-1}
      role="alert"
    >
      <h3>{title}</h3>
      <ul className="grid gap-2">
        {problems.map(({ id, message }) => (
          <li key={message}>
            {id ? (
              <a className="inline-flex min-h-11 items-center font-bold text-error" href={`#${id}`}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

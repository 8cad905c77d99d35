/** Text fields of the registration form, and what joins a field with its error message. */
import type { ComponentProps } from 'react';
import type { RegisterField } from '#contract/register.schema.ts';

/** Returns the id of a field's element, to which the error summary links. */
export const idOf = (field: RegisterField) => `register-${field}`;

export type FieldProps = ComponentProps<'input'> & {
  name: RegisterField;
  label: string;
  error: string | undefined;
};

/** An input with its label and error message. `children` are shown below them. */
export function TextField({ name, label, error, children, ...input }: FieldProps) {
  return (
    <div className="grid content-start gap-2">
      <label className="font-bold" htmlFor={idOf(name)}>
        {label}
      </label>
      <input
        className="min-h-13 w-full rounded-control border-fine border-line bg-card px-3.5 py-2 text-ink aria-invalid:border-bold aria-invalid:border-error"
        dir="auto"
        {...connect(name, error)}
        {...input}
      />
      <FieldError name={name}>{error}</FieldError>
      {children}
    </div>
  );
}

/** Returns the attributes of a field's element, which refer screen readers to its error message. */
export const connect = (name: RegisterField, error: string | undefined) => ({
  name,
  id: idOf(name),
  ...(error && { 'aria-invalid': true, 'aria-describedby': `${idOf(name)}-error` }),
});

export function FieldError({
  name,
  children,
}: {
  name: RegisterField;
  children: string | undefined;
}) {
  if (!children) return null;
  return (
    <p className="font-bold text-error" id={`${idOf(name)}-error`}>
      {children}
    </p>
  );
}

import { type ComponentProps, useEffect, useState } from 'react';
import { TextField } from './form-field.tsx';

/**
 * A field that robots fill in and people cannot see; no password manager knows its name. Should something fill it all
 * the same, it comes into view at once by its style sheet alone, and into reach as soon as its fault is told.
 */
export function RobotTrap({ message, ...input }: ComponentProps<typeof TextField>) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    // It stays: what somebody is in the middle of emptying must not vanish.
    if (message) setIsShown(true);
  }, [message]);
  return (
    <div
      className={isShown ? undefined : 'not-has-[input:not(:placeholder-shown)]:sr-only'}
      aria-hidden={!isShown}
      data-trap=""
    >
      <TextField
        message={message}
        placeholder=" "
        autoComplete="off"
        tabIndex={isShown ? 0 : -1}
        {...input}
      />
    </div>
  );
}

import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './input.tsx'

export type Option = { value: string; label: string }

/** The browser's own list: the phone shows its wheel, the keyboard jumps by letter. */
export const Select = ({
  className,
  options,
  children,
  ...rest
}: ComponentProps<'select'> & { options?: Option[] }) => (
  <span className={cx('relative inline-block w-full', className)}>
    <select {...rest} className={cx(controlClass, 'h-control appearance-none truncate pr-9 pl-3')}>
      {children}
      {options?.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
    <ChevronDown
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft"
    />
  </span>
)

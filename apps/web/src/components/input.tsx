import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export const controlClass = cx(
  'w-full rounded-control border border-control bg-card text-body text-ink transition-colors duration-150',
  'placeholder:text-ink-muted hover:border-ink-soft focus-visible:border-ring focus-visible:outline-offset-0',
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:border-line-strong disabled:bg-slate-100 disabled:text-ink-muted',
)

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={cx(controlClass, 'h-control px-3', className)} />
)

export const Textarea = ({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...rest} rows={rows} className={cx(controlClass, 'field-sizing-content min-h-24 px-3 py-2', className)} />
)

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

type FieldFrameProps = {
  id: string
  label: ReactNode
  optional?: boolean
  hint?: ReactNode
  error?: string
  children: ReactNode
}

/** Label above, hint, control, error beside it; for controls outside a form too. */
export const FieldFrame = ({ id, label, optional, hint, error, children }: FieldFrameProps) => (
  <div className="grid content-start gap-1.5">
    <label htmlFor={id} className="text-body font-medium">
      <span data-label="">{label}</span>
      {optional && <span className="font-normal text-ink-soft"> (optionnel)</span>}
    </label>
    {hint && (
      <p id={`${id}-hint`} className="-mt-1 text-[0.8125rem] text-ink-soft">
        {hint}
      </p>
    )}
    {children}
    {error && (
      <p id={`${id}-error`} className="flex items-start gap-1.5 text-[0.8125rem] text-danger">
        <CircleAlert aria-hidden="true" className="mt-px size-4" />
        {error}
      </p>
    )}
  </div>
)

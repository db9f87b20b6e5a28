import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import type { Option } from './input.tsx'

const dotClass =
  'mt-0.5 size-[1.125rem] shrink-0 appearance-none rounded-full border border-control bg-card transition-[border-width,border-color] duration-150 hover:border-ink-soft checked:border-[0.35rem] checked:border-primary-solid disabled:cursor-not-allowed disabled:opacity-50'

type RadioGroupProps = Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  label: string
  options: (Option & { hint?: string })[]
}

/** A few choices, all visible; `value` and `defaultValue` name the chosen option. */
export function RadioGroup({ label, options, name, value, defaultValue, ...rest }: RadioGroupProps) {
  const ownName = useId()
  return (
    <fieldset className="grid gap-2 text-body">
      <legend className="mb-1.5 font-medium">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex min-h-6 items-start gap-2.5">
          <input
            {...rest}
            type="radio"
            name={name ?? ownName}
            value={option.value}
            {...(value !== undefined && { checked: value === option.value })}
            {...(defaultValue !== undefined && { defaultChecked: defaultValue === option.value })}
            className={dotClass}
          />
          <span>
            {option.label}
            {option.hint && <span className="block text-[0.8125rem] text-ink-soft">{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const trackClass = cx(
  'relative h-6 w-10 shrink-0 appearance-none rounded-full border border-control bg-slate-200 transition-colors duration-150',
  'before:absolute before:top-0.5 before:left-0.5 before:size-[1.125rem] before:rounded-full before:bg-white before:shadow-sm before:ring-1 before:ring-ink/15 before:transition-transform before:duration-150',
  'checked:border-primary-solid checked:bg-primary-solid checked:before:translate-x-4',
  'disabled:cursor-not-allowed disabled:opacity-50',
)

/** Takes effect at once, unlike a checkbox, which waits for the form. */
export const Switch = ({ label, hint, ...rest }: ComponentProps<'input'> & { label: ReactNode; hint?: string }) => (
  <label className="flex min-h-6 items-start gap-3 text-body">
    {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox states whether it is checked */}
    <input {...rest} type="checkbox" role="switch" className={trackClass} />
    <span className="pt-0.5">
      {label}
      {hint && <span className="block text-[0.8125rem] text-ink-soft">{hint}</span>}
    </span>
  </label>
)

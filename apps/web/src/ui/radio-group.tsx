import { type ComponentProps, useId } from 'react'
import type { Option } from './select.tsx'

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

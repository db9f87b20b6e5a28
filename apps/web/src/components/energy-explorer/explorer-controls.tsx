import { useId } from 'react'

import { cx } from '../cx.ts'

const segmentClass = cx(
  'inline-flex min-h-8 items-center justify-center rounded-[calc(var(--radius-control)-3px)] px-3 text-[0.8125rem] font-medium text-ink-soft',
  'transition-colors duration-150 hover:text-ink has-checked:bg-card has-checked:text-ink has-checked:shadow-sm has-checked:ring-1 has-checked:ring-line-strong',
  'has-focus-visible:outline-2 has-focus-visible:outline-ring has-disabled:cursor-not-allowed has-disabled:opacity-55',
)

type SegmentsProps<V extends string> = {
  label: string
  options: { value: V; label: string; disabled?: boolean }[]
  value: V
  onChange: (value: V) => void
}

/** One of a few, side by side. */
export function SegmentedControl<V extends string>({ label, options, value, onChange }: SegmentsProps<V>) {
  const name = useId()
  return (
    <fieldset className="flex rounded-control bg-slate-100 p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={segmentClass}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

import { cx } from './cx.ts'
import type { Option } from './select.tsx'

type FilterChipsProps = {
  label: string
  options: (Option & { count?: number })[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** One choice among a few; pressing the chosen one again clears the filter. */
export const FilterChips = ({ label, options, value, onChange }: FilterChipsProps) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="sr-only">{label}</legend>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value === value ? undefined : option.value)}
        className={cx(
          'inline-flex min-h-8 items-center gap-1.5 rounded-full border px-3 text-[0.8125rem] font-medium transition-colors duration-150',
          option.value === value
            ? 'border-primary-ink bg-primary-soft text-primary-ink'
            : 'border-line-strong bg-card text-ink-soft hover:border-control hover:text-ink',
        )}
      >
        {option.label}
        {option.count !== undefined && <span className="tabular font-normal">{option.count}</span>}
      </button>
    ))}
  </fieldset>
)

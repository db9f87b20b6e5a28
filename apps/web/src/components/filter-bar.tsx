import Search from 'lucide-react/icons/search'
import { useEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { controlClass, type Option } from './input.tsx'

const DEBOUNCE_MS = 250

/** Searches while typing, after a short pause, and at once on Enter. */
export function SearchBox(props: {
  label: string
  value: string
  onSearch: (text: string) => void
  /** At each key: what is shown is about to be replaced. */
  onType?: () => void
  className?: string
}) {
  const [text, setText] = useState(props.value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(props.value), [props.value])
  useEffect(() => () => clearTimeout(timer.current), [])
  // A filter pressed during the pause must not be undone by the search that follows it.
  const latest = useRef(props.onSearch)
  useEffect(() => {
    latest.current = props.onSearch
  })

  const search = (next: string, pause: number) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(next.trim()), pause)
  }
  return (
    <search className={cx('relative block', props.className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
      />
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        value={text}
        onChange={(event) => {
          props.onType?.()
          search(event.target.value, DEBOUNCE_MS)
        }}
        onKeyDown={(event) => event.key === 'Enter' && search(text, 0)}
        className={cx(controlClass, 'h-control pr-2 pl-9')}
      />
    </search>
  )
}

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

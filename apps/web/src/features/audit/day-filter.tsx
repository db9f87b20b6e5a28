import { Day } from '@voisol/contract/primitives'
import { useState } from 'react'
import { DateInput } from '../../ui/date-input.tsx'

type Props = { label: string; value: string; onChange: (day: string) => void }

/** A day of a filter: what is not yet one stays in the field. */
export function DayFilter({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value)
  return (
    <div className="flex items-center gap-2 text-body">
      <span aria-hidden="true" className="min-w-6 text-ink-soft">
        {label}
      </span>
      <DateInput
        aria-label={label}
        value={typed}
        onValue={(next) => {
          setTyped(next)
          if (next === '' || Day.safeParse(next).success) onChange(next)
        }}
      />
    </div>
  )
}

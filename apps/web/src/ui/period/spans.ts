import { addMonths, monthOf } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'
import { monthLabel } from './label.ts'
import { todayInParis } from './period.ts'

const YEARS = 3
const MONTHS = 24
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Calendar years, then months, the last first: what papers of a period are asked for. */
export function spansUntil(day: string) {
  const year = Number(day.slice(0, 4))
  const years = Array.from({ length: YEARS }, (_, at) => year - at).map((one) => ({
    value: String(one),
    label: `Année ${one}`,
    from: `${one}-01-01`,
    to: `${one + 1}-01-01`,
  }))
  const months = Array.from({ length: MONTHS }, (_, at) => addMonths(monthOf(day), -at)).map((from) => ({
    value: from.slice(0, 7),
    label: capital(monthLabel(from)),
    from,
    to: addMonths(from, 1),
  }))
  return [...years, ...months]
}

/** The span in the address, or the year one is in. */
export function useSpan() {
  const [search, setSearch] = useSearchParams()
  const spans = spansUntil(todayInParis())
  const asked = search.get('periode')
  const span = spans.find(({ value }) => value === asked) ?? spans[0]
  const choose = (value: string) =>
    setSearch(
      (old) => {
        old.set('periode', value)
        return old
      },
      { preventScrollReset: true },
    )
  return { spans, value: span?.value ?? '', from: span?.from ?? '', to: span?.to ?? '', choose }
}

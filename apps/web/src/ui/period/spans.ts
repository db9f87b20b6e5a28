import { addMonths, monthOf } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'
import { formatMonthYear } from './label.ts'
import { getTodayInParis } from './period.ts'

const LISTED_YEARS = 3
const LISTED_MONTHS = 24
const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Calendar years, then months, the last first: what papers of a period are asked for. */
export function buildDocumentPeriodOptions(day: string) {
  const year = Number(day.slice(0, 4))
  const years = Array.from({ length: LISTED_YEARS }, (_, at) => year - at).map((one) => ({
    value: String(one),
    label: `Année ${one}`,
    from: `${one}-01-01`,
    to: `${one + 1}-01-01`,
  }))
  const months = Array.from({ length: LISTED_MONTHS }, (_, at) => addMonths(monthOf(day), -at)).map((from) => ({
    value: from.slice(0, 7),
    label: capitalize(formatMonthYear(from)),
    from,
    to: addMonths(from, 1),
  }))
  return [...years, ...months]
}

/** The span in the address, or the year one is in. */
export function usePeriodOption() {
  const [search, setSearch] = useSearchParams()
  const spans = buildDocumentPeriodOptions(getTodayInParis())
  const requestedValue = search.get('periode')
  const span = spans.find(({ value }) => value === requestedValue) ?? spans[0]
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

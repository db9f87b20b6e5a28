import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'
import { getTodayInParis, type Period } from './period.ts'

const createPartFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', ...options })
  return (day: string) => format.format(new Date(`${day}T00:00:00Z`))
}
const formatWeekday = createPartFormatter({ weekday: 'long' })
const formatMonthName = createPartFormatter({ month: 'long' })
const formatMonthShort = createPartFormatter({ month: 'short' })
const getYear = (day: string) => day.slice(0, 4)
const formatDayNumber = (day: string) => (day.endsWith('-01') ? '1er' : String(Number(day.slice(8))))

export const formatLongDay = (day: string) => `${formatDayNumber(day)}\u00a0${formatMonthName(day)} ${getYear(day)}`
export const formatFullDay = (day: string) => `${formatWeekday(day)} ${formatLongDay(day)}`
export const formatMonthYear = (day: string) => `${formatMonthName(day)} ${getYear(day)}`

/** For an axis: « 15/11 », « nov. ». */
export const formatAxisDay = (day: string) => `${day.slice(8)}/${day.slice(5, 7)}`
export const formatShortMonth = formatMonthShort

/** « du 9 au 15 novembre 2026 »: what both ends share is said once. */
export function formatDayRange(first: string, last: string) {
  if (first === last) return `le ${formatLongDay(first)}`
  const start =
    getYear(first) !== getYear(last)
      ? formatLongDay(first)
      : first.slice(0, 7) !== last.slice(0, 7)
        ? `${formatDayNumber(first)}\u00a0${formatMonthName(first)}`
        : formatDayNumber(first)
  return `du ${start} au ${formatLongDay(last)}`
}

/** A period in words, to stand inside a sentence. */
export function formatPeriodLabel({ unit, from, to }: Period) {
  const last = addDays(to, -1)
  const labels = {
    day: () => formatFullDay(from),
    week: () => `semaine ${formatDayRange(from, last)}`,
    month: () => formatMonthYear(from),
    year: () => `année ${getYear(from)}`,
    range: () => formatDayRange(from, last),
  }
  return labels[unit]()
}

/** The same, to stand alone as a title. */
export const formatPeriodTitle = (period: Period) => {
  const label = formatPeriodLabel(period)
  return label.slice(0, 1).toUpperCase() + label.slice(1)
}

const LISTED_YEARS = 3
const LISTED_MONTHS = 24
const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Calendar years, then months, the last first: what papers of a period are asked for. */
function buildDocumentPeriodOptions(day: string) {
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

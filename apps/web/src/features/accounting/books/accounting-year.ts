import type { BookEntity } from '@voisol/contract/book-views'
import { useSearchParams } from 'react-router'
import { getTodayInParis } from '../../../components/period/period.ts'

/** The accounting year that holds a day, named by the year in which it ends. */
const getAccountingYearOfDay = (day: string, yearStart: number): number => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return yearStart > 1 && month >= yearStart ? year + 1 : year
}

function listAccountingYears({ firstMonth, yearStart }: BookEntity): number[] {
  const last = getAccountingYearOfDay(getTodayInParis(), yearStart)
  const first = firstMonth ? getAccountingYearOfDay(firstMonth, yearStart) : last
  return Array.from({ length: last - first + 1 }, (_, at) => last - at)
}

/** Whose books, and of which year; both stand in the address. */
export function useBookChoice(entities: BookEntity[]) {
  const [search, setSearch] = useSearchParams()
  const entity = entities.find(({ id }) => id === search.get('entite')) ?? entities[0]
  const years = entity ? listAccountingYears(entity) : []
  const year = years.find((one) => String(one) === search.get('exercice')) ?? years[0] ?? 0
  const choose = (change: Record<string, string | undefined>) =>
    setSearch(
      (old) => {
        for (const [name, value] of Object.entries(change)) value ? old.set(name, value) : old.delete(name)
        return old
      },
      { preventScrollReset: true },
    )
  return { entity, years, year, search, choose }
}

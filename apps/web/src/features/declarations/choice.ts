import type { BookEntity } from '@voisol/contract/book-views'
import { useSearchParams } from 'react-router'
import { getTodayInParis } from '../../ui/period/period.ts'

const LISTED_YEARS = 5

/** Whose declarations, and of which calendar year. */
export function useDeclarationChoice(sellers: BookEntity[]) {
  const [search, setSearch] = useSearchParams()
  const seller = sellers.find(({ id }) => id === search.get('entite')) ?? sellers[0]
  const last = Number(getTodayInParis().slice(0, 4))
  const years = Array.from({ length: LISTED_YEARS }, (_, at) => last - at)
  const year = years.find((one) => String(one) === search.get('annee')) ?? last
  const choose = (name: string, value: string) =>
    setSearch(
      (old) => {
        old.set(name, value)
        return old
      },
      { preventScrollReset: true },
    )
  return { seller, years, year, choose }
}

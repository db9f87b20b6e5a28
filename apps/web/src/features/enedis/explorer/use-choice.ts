import { useSearchParams } from 'react-router'

const NAMES = { acc: 'convention', point: 'point', types: 'series', tab: 'onglet' } as const
type Choice = { [K in keyof typeof NAMES]?: string | undefined }

/** Which agreement, which point, which series: in the address, so that a link shows the same. */
export function useChoice() {
  const [search, setSearch] = useSearchParams()
  const choose = (change: Choice) =>
    setSearch(
      (old) => {
        for (const [key, value] of Object.entries(change)) {
          const name = NAMES[key as keyof Choice] // keys of a Choice
          if (value) old.set(name, value)
          else old.delete(name)
        }
        return old
      },
      { preventScrollReset: true },
    )
  return {
    acc: search.get(NAMES.acc),
    point: search.get(NAMES.point),
    types: search.get(NAMES.types),
    tab: search.get(NAMES.tab),
    choose,
  }
}

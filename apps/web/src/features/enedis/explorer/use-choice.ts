import { useSearchParams } from 'react-router'

const PARAM_NAMES = { acc: 'convention', point: 'point', types: 'series', tab: 'onglet' } as const
type ExplorerChoice = { [K in keyof typeof PARAM_NAMES]?: string | undefined }

/** Which agreement, which point, which series: in the address, so that a link shows the same. */
export function useExplorerChoice() {
  const [search, setSearch] = useSearchParams()
  const choose = (change: ExplorerChoice) =>
    setSearch(
      (old) => {
        for (const [key, value] of Object.entries(change)) {
          const name = PARAM_NAMES[key as keyof ExplorerChoice] // keys of a Choice
          if (value) old.set(name, value)
          else old.delete(name)
        }
        return old
      },
      { preventScrollReset: true },
    )
  return {
    acc: search.get(PARAM_NAMES.acc),
    point: search.get(PARAM_NAMES.point),
    types: search.get(PARAM_NAMES.types),
    tab: search.get(PARAM_NAMES.tab),
    choose,
  }
}

import { useSearchParams } from 'react-router'

/** The open content is in the address, beside the filters of the list one comes back to. */
const OPEN_PARAMS = ['contenu', 'nouveau'] as const

export function useContentNavigation() {
  const [search, setSearch] = useSearchParams()
  const to = (change: Partial<Record<(typeof OPEN_PARAMS)[number], string>>) => {
    const next = new URLSearchParams(search)
    for (const name of OPEN_PARAMS) next.delete(name)
    for (const [name, value] of Object.entries(change)) next.set(name, value)
    return `/cms-admin?${next}`.replace(/\?$/, '')
  }
  return {
    id: search.get('contenu'),
    nouveau: search.get('nouveau'),
    linkTo: (id: string) => to({ contenu: id }),
    linkToNew: (kind: string) => to({ nouveau: kind }),
    linkToList: to({}),
    /** What was new has a name now: going back must not lead to a second one. */
    settle: (id: string) =>
      setSearch(
        (old) => {
          old.delete('nouveau')
          old.set('contenu', id)
          return old
        },
        { replace: true, preventScrollReset: true },
      ),
  }
}

import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Link } from '../../ui/link.tsx'

const KEY = 'participant'

/** The open sheet is in the address, beside the filters of the list it was opened from. */
export function useSheet() {
  const [search, setSearch] = useSearchParams()
  const change = (id: string | undefined) =>
    setSearch(
      (old) => {
        if (id) old.set(KEY, id)
        else old.delete(KEY)
        return old
      },
      { replace: id === undefined, preventScrollReset: true },
    )
  return { id: search.get(KEY), open: change, close: () => change(undefined) }
}

export function SheetLink({ id, children }: { id: string; children: ReactNode }) {
  const [search] = useSearchParams()
  const next = new URLSearchParams(search)
  next.set(KEY, id)
  return (
    <Link to={{ search: next.toString() }} preventScrollReset className="font-medium text-link">
      {children}
    </Link>
  )
}

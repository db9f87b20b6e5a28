import { useState } from 'react'
import { useSearchParams } from 'react-router'

/** Whether a dialog is open: by its own button, or because the address says so, as `?inviter=1` of a search or a link does. */
export function useOpened(name: string) {
  const [search, setSearch] = useSearchParams()
  const [own, setOwn] = useState(false)
  const asked = search.get(name) === '1'
  const change = (open: boolean) => {
    setOwn(open)
    if (open || !asked) return
    setSearch(
      (old) => {
        old.delete(name)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [own || asked, change] as const
}

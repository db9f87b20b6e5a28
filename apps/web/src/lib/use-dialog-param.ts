import { useState } from 'react'
import { useSearchParams } from 'react-router'

/** Whether a dialog is open: by its own button, or because the address says so, as `?inviter=1` of a search or a link does. */
export function useDialogParam(name: string) {
  const [search, setSearch] = useSearchParams()
  const [ownOpen, setOwn] = useState(false)
  const openFromUrl = search.get(name) === '1'
  const change = (open: boolean) => {
    setOwn(open)
    if (open || !openFromUrl) return
    setSearch(
      (old) => {
        old.delete(name)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [ownOpen || openFromUrl, change] as const
}

import type { Operation } from '@voisol/contract/operations'
import { useSearchParams } from 'react-router'
import { History } from './history.tsx'
import { ImportDrop } from './import-drop.tsx'
import { ImportView } from './import-view.tsx'

const OPEN = 'import'

/** The file that is being imported is in the address: it can be left, and found again. */
export default function ImportsTab({ operation }: { operation?: Operation }) {
  const [search, setSearch] = useSearchParams()
  const id = search.get(OPEN)
  const open = (next: string | null) =>
    setSearch(
      (old) => {
        if (next === null) old.delete(OPEN)
        else old.set(OPEN, next)
        return old
      },
      { preventScrollReset: true },
    )
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {id === null ? (
        <ImportDrop onStarted={open} />
      ) : (
        <ImportView key={id} id={id} operation={operation} onClose={() => open(null)} />
      )}
      <History onOpen={open} openId={id} />
    </div>
  )
}

import type { Operation } from '@voisol/contract/operations'
import { useSearchParams } from 'react-router'
import { History } from './history.tsx'
import { ImportDrop } from './import-drop.tsx'
import { ImportQueue } from './import-queue.tsx'
import { ImportView } from './import-view.tsx'

const OPEN = 'import'
const LOT = 'lot'

/** The files dropped together, and the one that is open, are in the address: they can be left, and found again. */
function usePlaces() {
  const [search, setSearch] = useSearchParams()
  const write = (key: string, value: (old: string | null) => string | null) =>
    setSearch(
      (old) => {
        const next = value(old.get(key))
        if (next === null) old.delete(key)
        else old.set(key, next)
        return old
      },
      { preventScrollReset: true, replace: key === LOT },
    )
  return {
    id: search.get(OPEN),
    lot: search.get(LOT)?.split(',').filter(Boolean) ?? [],
    open: (next: string | null) => write(OPEN, () => next),
    add: (id: string) => write(LOT, (old) => [...new Set([...(old?.split(',') ?? []), id])].filter(Boolean).join(',')),
    leave: () => write(LOT, () => null),
  }
}

export default function ImportsTab({ operation }: { operation?: Operation }) {
  const { id, lot, open, add, leave } = usePlaces()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {lot.length > 0 && <ImportQueue ids={lot} openId={id} onOpen={open} onLeave={leave} />}
      {id === null ? (
        <ImportDrop onStarted={open} onAdded={add} />
      ) : (
        <ImportView key={id} id={id} operation={operation} onClose={() => open(null)} />
      )}
      <History onOpen={open} openId={id} />
    </div>
  )
}

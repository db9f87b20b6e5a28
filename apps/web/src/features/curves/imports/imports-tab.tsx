import type { Operation } from '@voisol/contract/operations'
import { useRef } from 'react'
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
  const write = (key: string, next: string | null) =>
    setSearch(
      (old) => {
        if (next === null) old.delete(key)
        else old.set(key, next)
        return old
      },
      { preventScrollReset: true, replace: key === LOT },
    )
  const lot = search.get(LOT)?.split(',').filter(Boolean) ?? []
  // Files of one drop follow each other faster than the address: each finds here those before it.
  const known = useRef(lot)
  return {
    id: search.get(OPEN),
    lot,
    open: (next: string | null) => write(OPEN, next),
    add: (id: string) => {
      known.current = [...new Set([...known.current, id])]
      write(LOT, known.current.join(','))
    },
    leave: () => {
      known.current = []
      write(LOT, null)
    },
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

import type { Operation } from '@voisol/contract/operations'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { ImportHistory } from './history.tsx'
import { ImportDrop } from './import-drop.tsx'
import { ImportQueue } from './import-queue.tsx'
import { ImportView } from './import-view.tsx'

const OPEN_PARAM = 'import'
const BATCH_PARAM = 'lot'

/** The files dropped together, and the one that is open, are in the address: they can be left, and found again. */
function useOpenImports() {
  const [search, setSearch] = useSearchParams()
  const write = (key: string, next: string | null) =>
    setSearch(
      (old) => {
        if (next === null) old.delete(key)
        else old.set(key, next)
        return old
      },
      { preventScrollReset: true, replace: key === BATCH_PARAM },
    )
  const batchIds = search.get(BATCH_PARAM)?.split(',').filter(Boolean) ?? []
  // Files of one drop follow each other faster than the address: each finds here those before it.
  const batchRef = useRef(batchIds)
  return {
    id: search.get(OPEN_PARAM),
    lot: batchIds,
    open: (next: string | null) => write(OPEN_PARAM, next),
    add: (id: string) => {
      batchRef.current = [...new Set([...batchRef.current, id])]
      write(BATCH_PARAM, batchRef.current.join(','))
    },
    leave: () => {
      batchRef.current = []
      write(BATCH_PARAM, null)
    },
  }
}

export default function ImportsTab({ operation }: { operation?: Operation }) {
  const { id, lot, open, add, leave } = useOpenImports()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {lot.length > 0 && <ImportQueue ids={lot} openId={id} onOpen={open} onLeave={leave} />}
      {id === null ? (
        <ImportDrop onStarted={open} onAdded={add} />
      ) : (
        <ImportView key={id} id={id} operation={operation} onClose={() => open(null)} />
      )}
      <ImportHistory onOpen={open} openId={id} />
    </div>
  )
}

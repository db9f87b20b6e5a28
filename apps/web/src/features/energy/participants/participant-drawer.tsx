import { type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'

const OPEN_PARAM = 'participant'

/** The open sheet is in the address, beside the filters of the list it was opened from. */
function useOpenParticipant() {
  const [search, setSearch] = useSearchParams()
  const change = (id: string | undefined) =>
    setSearch(
      (old) => {
        if (id) old.set(OPEN_PARAM, id)
        else old.delete(OPEN_PARAM)
        return old
      },
      { replace: id === undefined, preventScrollReset: true },
    )
  return { id: search.get(OPEN_PARAM), open: change, close: () => change(undefined) }
}

export function ParticipantLink({ id, children }: { id: string; children: ReactNode }) {
  const [search] = useSearchParams()
  const next = new URLSearchParams(search)
  next.set(OPEN_PARAM, id)
  return (
    <Link to={{ search: next.toString() }} preventScrollReset className="font-medium text-link">
      {children}
    </Link>
  )
}

const OpenParticipantDrawer = lazy(() => import('./sheet/participant-details.tsx'))

/** The sheet that the address names, if any. */
export function ParticipantDrawer() {
  const { id, close } = useOpenParticipant()
  if (!id) return null
  return (
    <Suspense fallback={null}>
      <OpenParticipantDrawer key={id} id={id} onClose={close} />
    </Suspense>
  )
}

import { Suspense } from 'react'
import { lazy } from '../../../ui/lazy.tsx'
import { useOpenParticipant } from '../sheet-link.tsx'

const OpenParticipantDrawer = lazy(() => import('./open-sheet.tsx'))

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

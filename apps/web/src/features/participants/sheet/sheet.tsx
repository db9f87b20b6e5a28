import { Suspense } from 'react'
import { lazy } from '../../../ui/lazy.tsx'
import { useSheet } from '../sheet-link.tsx'

const OpenSheet = lazy(() => import('./open-sheet.tsx'))

/** The sheet that the address names, if any. */
export function Sheet() {
  const { id, close } = useSheet()
  if (!id) return null
  return (
    <Suspense fallback={null}>
      <OpenSheet key={id} id={id} onClose={close} />
    </Suspense>
  )
}

import { Suspense } from 'react'
import { lazy } from '../../components/lazy.tsx'
import { useHasOpened } from '../../components/open-on-demand.tsx'
import { Toaster } from '../../components/toaster.tsx'
import { useComfortableDensity } from '../../lib/density.ts'
import { closeDialog, type SiteDialog } from './store.ts'

const dialogComponents = {
  booking: lazy(async () => ({ default: (await import('../booking/booking.tsx')).BookingDialog })),
  simulator: lazy(async () => ({ default: (await import('../simulator/simulator.tsx')).SimulatorDialog })),
}

type DialogState = { open: boolean; last: SiteDialog }

function SiteDialogPart({ which, open }: { which: SiteDialog; open: boolean }) {
  const Shown = dialogComponents[which]
  return useHasOpened(open) && <Shown open={open} onClose={closeDialog} />
}

/** What a visitor opened, and the place for what is said in passing. */
export default function SiteDialogContent({ open, last }: DialogState) {
  useComfortableDensity()
  return (
    <>
      <Suspense fallback={null}>
        <SiteDialogPart which="booking" open={open && last === 'booking'} />
        <SiteDialogPart which="simulator" open={open && last === 'simulator'} />
      </Suspense>
      <Toaster />
    </>
  )
}

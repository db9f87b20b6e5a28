import { Suspense } from 'react'
import { useComfortableDensity } from '../../lib/density.ts'
import { lazy } from '../../ui/lazy.tsx'
import { useOnceOpen } from '../../ui/once-open.ts'
import { Toaster } from '../../ui/toaster.tsx'
import { closeDialog, type SiteDialog } from './store.ts'

const dialogs = {
  booking: lazy(async () => ({ default: (await import('../booking/booking.tsx')).BookingDialog })),
  simulator: lazy(async () => ({ default: (await import('../simulator/simulator.tsx')).SimulatorDialog })),
}

type Shown = { open: boolean; last: SiteDialog }

function One({ which, open }: { which: SiteDialog; open: boolean }) {
  const Shown = dialogs[which]
  return useOnceOpen(open) && <Shown open={open} onClose={closeDialog} />
}

/** What a visitor opened, and the place for what is said in passing. */
export default function Dialogs({ open, last }: Shown) {
  useComfortableDensity()
  return (
    <>
      <Suspense fallback={null}>
        <One which="booking" open={open && last === 'booking'} />
        <One which="simulator" open={open && last === 'simulator'} />
      </Suspense>
      <Toaster />
    </>
  )
}

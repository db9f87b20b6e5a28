import { useComfortableDensity } from '../../lib/density.ts'
import { Toaster } from '../../ui/toaster.tsx'
import { BookingDialog } from '../booking/booking.tsx'
import { SimulatorDialog } from '../simulator/simulator.tsx'
import { closeDialog, type SiteDialog } from './store.ts'

type Shown = { open: boolean; last: SiteDialog }

/** What a visitor opened, and the place for what is said in passing. */
export default function Dialogs({ open, last }: Shown) {
  useComfortableDensity()
  const shown = (which: SiteDialog) => ({ open: open && last === which, onClose: closeDialog })
  return (
    <>
      <BookingDialog {...shown('booking')} />
      <SimulatorDialog {...shown('simulator')} />
      <Toaster />
    </>
  )
}

import { todayInParis } from '../../../ui/period/period.ts'
import { BestHours } from './best-hours.tsx'
import { Contact } from './contact.tsx'
import { LastInvoice } from './last-invoice.tsx'
import { Messages } from './messages.tsx'
import { useMyPoints } from './my-points.ts'
import { hasLeft } from './stay.ts'
import { Tomorrow } from './tomorrow.tsx'

/** Under the month: when to run the machine, which is no advice to a battery nor to whoever has left, what was invoiced last, and what was written. */
export function HomeMore() {
  const { mine } = useMyPoints()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
      {mine && !mine.battery && !hasLeft(mine.all, todayInParis()) && (
        <div className="grid gap-6 [&>*]:min-w-0">
          <Tomorrow />
          <BestHours />
        </div>
      )}
      <div className="grid gap-6 [&>*]:min-w-0">
        <LastInvoice />
        <Messages />
        <Contact />
      </div>
    </div>
  )
}

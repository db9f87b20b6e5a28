import { BestHours } from './best-hours.tsx'
import { Contact } from './contact.tsx'
import { LastInvoice } from './last-invoice.tsx'
import { Messages } from './messages.tsx'

/** Under the month: when to run the machine, what was invoiced last, and what was written. */
export const HomeMore = () => (
  <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
    <BestHours />
    <div className="grid gap-6 [&>*]:min-w-0">
      <LastInvoice />
      <Messages />
      <Contact />
    </div>
  </div>
)

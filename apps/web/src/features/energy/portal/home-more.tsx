import type { PortalBlock } from '@voisol/contract/portal-management'
import { Fragment, type ReactNode } from 'react'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { BestHours } from './best-hours.tsx'
import { OrganizerContact } from './contact.tsx'
import { LastInvoice } from './last-invoice.tsx'
import { useMyPoints } from './my-points.ts'
import { hasLeft } from './stay.ts'
import { TomorrowCard } from './tomorrow.tsx'

/** When to run the machine: no advice to a battery, nor to whoever has left. */
function HoursCards() {
  const { mine } = useMyPoints()
  if (!mine || mine.battery || hasLeft(mine.all, getTodayInParis())) return null
  return (
    <>
      <TomorrowCard />
      <BestHours />
    </>
  )
}

const BLOCK_CARDS: Partial<Record<PortalBlock['key'], ReactNode>> = {
  hours: <HoursCards />,
  invoice: <LastInvoice />,
  contact: <OrganizerContact />,
}
type Props = { keys: PortalBlock['key'][]; messages: ReactNode }

/** Under the month, in the organiser's order: down one column, then down the other where there is room for two. */
export const HomeCards = ({ keys, messages }: Props) => (
  <div className="-mb-6 gap-6 lg:columns-2 [&>*]:mb-6 [&>*]:min-w-0 [&>*]:break-inside-avoid">
    {keys.map((key) => (
      <Fragment key={key}>{key === 'messages' ? messages : BLOCK_CARDS[key]}</Fragment>
    ))}
  </div>
)

import { useQuery } from '@tanstack/react-query'
import { supportDesk } from '@voisol/contract/support-desk'
import type { RefObject } from 'react'
import { query } from '../../lib/queries.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TicketContext } from './context.tsx'
import { TicketThread } from './desk-thread.tsx'

type OpenTicketProps = {
  id: string
  field: RefObject<HTMLTextAreaElement | null>
  onNext: () => void
  onOpen: (id: string) => void
}

/** The two panes of the ticket that is open. */
export default function OpenTicket({ id, field, onNext, onOpen }: OpenTicketProps) {
  const { data, error, refetch } = useQuery(query(supportDesk.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <>
      <section aria-label="Fil de la demande" className={cx(cardClass, 'min-w-0 p-4 sm:p-5')}>
        <TicketThread key={id} ticket={data} field={field} onSent={onNext} />
      </section>
      <aside aria-label="Contexte de la demande" className={cx(cardClass, 'min-w-0 p-4 sm:p-5')}>
        <TicketContext ticket={data} onOpen={onOpen} />
      </aside>
    </>
  )
}

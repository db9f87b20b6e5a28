import { useQuery } from '@tanstack/react-query'
import { supportDesk } from '@voisol/contract/support-desk'
import type { RefObject } from 'react'
import { query } from '../../lib/queries.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Context } from './context.tsx'
import { DeskThread } from './desk-thread.tsx'

type OpenProps = {
  id: string
  field: RefObject<HTMLTextAreaElement | null>
  onNext: () => void
  onOpen: (id: string) => void
}

/** The two panes of the ticket that is open. */
export default function Opened({ id, field, onNext, onOpen }: OpenProps) {
  const { data, error, refetch } = useQuery(query(supportDesk.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <>
      <section aria-label="Fil de la demande" className={cx(cardClass, 'min-w-0 p-4 sm:p-5')}>
        <DeskThread key={id} ticket={data} field={field} onSent={onNext} />
      </section>
      <aside aria-label="Contexte de la demande" className={cx(cardClass, 'min-w-0 p-4 sm:p-5')}>
        <Context ticket={data} onOpen={onOpen} />
      </aside>
    </>
  )
}

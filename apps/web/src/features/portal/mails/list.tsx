import { useQuery } from '@tanstack/react-query'
import { type MailRow, mails } from '@voisol/contract/mails'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useCan } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'

const MailSampleDialog = lazy(() => import('./sample-mail.tsx'))

const MailItem = ({ row, onOpen }: { row: MailRow; onOpen: (() => void) | undefined }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
    <span className="min-w-0 flex-1 basis-60">
      <span className="font-medium">{row.title}</span>
      <span className="block text-[0.8125rem] text-ink-soft">
        {row.to}. {row.when}.
      </span>
    </span>
    {row.unsubscribe && <Badge>Désabonnement en un clic</Badge>}
    {onOpen && (
      <Button size="small" variant="secondary" onClick={onOpen} aria-label={`Voir le message ${row.title}`}>
        Voir
      </Button>
    )}
  </li>
)

/** Every message that leaves in the company's name, each as it would leave today. */
export function MailList() {
  const can = useCan()
  const { data, error, refetch } = useQuery(query(mails.list, {}))
  const [open, setOpen] = useState<MailRow>()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const canPreview = can(mails.sample)
  return (
    <Card
      title="Messages du produit"
      description={
        'Chacun part avec votre marque et un texte seul. L’aperçu est fait de ce que votre organisation a envoyé en dernier\u00a0; rien n’est envoyé d’ici.'
      }
    >
      <ul className="divide-y divide-line text-body">
        {data.items.map((row) => (
          <MailItem key={row.kind} row={row} onOpen={canPreview ? () => setOpen(row) : undefined} />
        ))}
      </ul>
      <Suspense fallback={null}>{open && <MailSampleDialog row={open} onClose={() => setOpen(undefined)} />}</Suspense>
    </Card>
  )
}

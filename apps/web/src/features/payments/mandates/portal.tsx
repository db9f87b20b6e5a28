import { useQuery } from '@tanstack/react-query'
import { MANDATE_STATE_LABELS, type Mandate, mandates } from '@voisol/contract/mandates'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ChangeAccountForm, RevokeMandateForm } from './mandate.tsx'

const SignMandateDialog = lazy(() => import('./sign-mandate.tsx'))

function OwnMandate({ mandate }: { mandate: Mandate }) {
  const [openForm, setOpenForm] = useState<'account' | 'revoke' | null>(null)
  const close = () => setOpenForm(null)
  const active = mandate.state === 'active'
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{mandate.creditor}</span>
          <Badge tone={active ? 'success' : 'neutral'}>{MANDATE_STATE_LABELS[mandate.state]}</Badge>
        </span>
        <span className="block text-[0.8125rem] text-ink-soft">
          Compte •••• {mandate.ibanEnd}, signé le {formatDate(mandate.signedOn)}. RUM {mandate.rum}.
          {mandate.reason && ` ${mandate.reason}`}
        </span>
      </span>
      {active && (
        <span className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={() => setOpenForm('account')}>
            Changer de compte
          </Button>
          <Button variant="quiet" size="small" onClick={() => setOpenForm('revoke')}>
            Révoquer
          </Button>
        </span>
      )}
      {openForm && (
        <Dialog title={openForm === 'account' ? 'Changer de compte' : 'Révoquer ce mandat'} open onOpenChange={close}>
          {openForm === 'account' ? (
            <ChangeAccountForm mandate={mandate} onDone={close} />
          ) : (
            <RevokeMandateForm mandate={mandate} onDone={close} />
          )}
        </Dialog>
      )}
    </li>
  )
}

/** One's own mandates: sign, see, change the account, revoke. */
export function OwnMandates() {
  const { data, error, refetch } = useQuery(query(mandates.list, { query: {} }))
  const [signing, setSigning] = useState<{ creditorId: string; participantId: string } | null>(null)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const active = new Set(
    data.items.filter(({ state }) => state === 'active').map((one) => `${one.creditorId} ${one.participantId}`),
  )
  const offered = data.people.flatMap((person) =>
    data.creditors
      .filter((creditor) => !active.has(`${creditor.id} ${person.id}`))
      .map((creditor) => ({ creditor, person })),
  )
  if (!data.items.length && !offered.length) return null
  return (
    <Card
      title="Prélèvement automatique"
      description="Vos factures payées à leur échéance, annoncées quatorze jours avant. Vous pouvez arrêter à tout moment."
    >
      <ul className="divide-y divide-line">
        {data.items.map((mandate) => (
          <OwnMandate key={mandate.id} mandate={mandate} />
        ))}
        {offered.map(({ creditor, person }) => (
          <li
            key={`${creditor.id} ${person.id}`}
            className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
          >
            <span>
              {creditor.name}
              {data.people.length > 1 && <span className="text-ink-soft">, pour {person.name}</span>}
            </span>
            <Button
              variant="secondary"
              size="small"
              aria-label={`Signer un mandat pour ${creditor.name}`}
              onClick={() => setSigning({ creditorId: creditor.id, participantId: person.id })}
            >
              Signer un mandat
            </Button>
          </li>
        ))}
      </ul>
      <Suspense fallback={null}>
        {signing && <SignMandateDialog whose={signing} onClose={() => setSigning(null)} />}
      </Suspense>
    </Card>
  )
}

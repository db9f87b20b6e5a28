import { useQuery } from '@tanstack/react-query'
import { online } from '@voisol/contract/online'
import type { OnlineProvider, PaymentEnvironment } from '@voisol/contract/online-views'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { PAYMENT_ENVIRONMENT_LABELS } from './labels.ts'

const UnmatchedMessages = lazy(() => import('./unmatched-messages.tsx'))
const EditProviderDialog = lazy(() => import('./provider-edit.tsx'))
const AddProviderDialog = lazy(() => import('./provider-form.tsx'))

type ProviderOwners = { id: string; name: string }[]
type AddProviderProps = { owners: ProviderOwners; environments: PaymentEnvironment[] }

const AddProviderButton = withAccess(online.addProvider, ({ owners, environments }: AddProviderProps) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={owners.length === 0}>
        Brancher un prestataire
      </Button>
      <Suspense fallback={null}>
        {open && <AddProviderDialog owners={owners} environments={environments} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

const TestProviderButton = withAccess(online.testProvider, ({ provider }: { provider: OnlineProvider }) => {
  const test = useAction(online.testProvider, [online.providers])
  const testProvider = () =>
    test.run({ params: { id: provider.id } }).then(
      () => toast({ title: 'Le prestataire répond', variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Le prestataire ne répond pas', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button variant="secondary" size="small" loading={test.isPending} onClick={() => void testProvider()}>
      Essayer
    </Button>
  )
})

const EditProviderButton = withAccess(online.updateProvider, ({ provider }: { provider: OnlineProvider }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        aria-label={`Modifier le prestataire de ${provider.owner.name}`}
        onClick={() => setOpen(true)}
      >
        Modifier
      </Button>
      <Suspense fallback={null}>
        {open && <EditProviderDialog provider={provider} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

const CloseProviderButton = withAccess(online.closeProvider, ({ provider }: { provider: OnlineProvider }) => {
  const close = useAction(online.closeProvider, [online.providers])
  return (
    <Confirm
      title={`Débrancher le paiement en ligne de ${provider.owner.name}\u00a0?`}
      description="Plus rien ne se paiera par lui. Ce qui a été payé reste, et ses remboursements sont encore suivis."
      action="Débrancher"
      onConfirm={() => close.run({ params: { id: provider.id } })}
      trigger={
        <Button variant="quiet" size="small">
          Débrancher
        </Button>
      }
    />
  )
})

const formatMethods = ({ card, debit }: OnlineProvider) =>
  [card && 'carte', debit && 'prélèvement SEPA'].filter(Boolean).join(' et ')

const ProviderCard = ({ provider }: { provider: OnlineProvider }) => (
  <Card
    title={provider.owner.name}
    description={provider.everyone ? 'Encaisse aussi pour les vendeurs sans prestataire.' : 'Encaisse pour lui-même.'}
    actions={
      <>
        <TestProviderButton provider={provider} />
        <EditProviderButton provider={provider} />
        <CloseProviderButton provider={provider} />
      </>
    }
  >
    <FactList
      facts={[
        {
          label: 'Environnement',
          value: (
            <Badge tone={provider.environment === 'live' ? 'success' : 'warning'}>
              {PAYMENT_ENVIRONMENT_LABELS[provider.environment].label}
            </Badge>
          ),
        },
        { label: 'Moyens', value: formatMethods(provider) },
        { label: 'Clé', value: <span className="tabular">•••• {provider.hint}</span> },
        { label: 'Essayé le', value: provider.testedAt ? formatDateTime(provider.testedAt) : 'Jamais' },
        {
          label: 'Dernier message',
          value: provider.lastHeardAt ? formatDateTime(provider.lastHeardAt) : 'Aucun pour l’instant',
        },
        {
          label: 'Messages refusés',
          value:
            provider.refused > 0
              ? `${formatCount(provider.refused, 'signature fausse', 'signatures fausses')}${provider.refusedAt ? `, la dernière le ${formatDateTime(provider.refusedAt)}` : ''}`
              : 'Aucun',
        },
      ]}
    />
  </Card>
)

/** With whom money comes in online, by seller. */
export default function OnlineSettings() {
  const { data, error, refetch } = useQuery(query(online.providers, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const ownerIdsWithProvider = new Set(data.items.map(({ owner }) => owner.id))
  const availableOwners = data.owners.filter(({ id }) => !ownerIdsWithProvider.has(id))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="prose-width text-body text-ink-soft">
          Les participants paient par carte ou par prélèvement sur la page du prestataire&nbsp;; la facture est soldée
          dès qu’il le confirme. Les clés sont chiffrées, aucun écran ne les montre.
        </p>
        <AddProviderButton owners={availableOwners} environments={data.environments} />
      </header>
      {data.items.length > 0 ? (
        <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
          {data.items.map((provider) => (
            <ProviderCard key={provider.id} provider={provider} />
          ))}
        </div>
      ) : (
        <EmptyState
          title="Personne n’encaisse en ligne"
          why="Branchez le compte d’un vendeur, ou celui de l’organisateur qui encaisse pour tous."
          action={
            <ButtonLink variant="secondary" to="/advanced-billing?tab=sellers">
              Voir les vendeurs
            </ButtonLink>
          }
        />
      )}
      <Suspense fallback={null}>
        <UnmatchedMessages />
      </Suspense>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { online } from '@voisol/contract/online'
import type { OnlineProvider, PaymentEnvironment } from '@voisol/contract/online-views'
import { Suspense, useState } from 'react'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { dateTime, plural } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ENVIRONMENTS } from './words.ts'

const Letters = lazy(() => import('./letters.tsx'))
const ProviderEdit = lazy(() => import('./provider-edit.tsx'))
const ProviderForm = lazy(() => import('./provider-form.tsx'))

type Owners = { id: string; name: string }[]
type AddProps = { owners: Owners; environments: PaymentEnvironment[] }

const Add = only(online.addProvider, ({ owners, environments }: AddProps) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={owners.length === 0}>
        Brancher un prestataire
      </Button>
      <Suspense fallback={null}>
        {open && <ProviderForm owners={owners} environments={environments} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

const Test = only(online.testProvider, ({ provider }: { provider: OnlineProvider }) => {
  const test = useAction(online.testProvider, [online.providers])
  const run = () =>
    test.run({ params: { id: provider.id } }).then(
      () => toast({ title: 'Le prestataire répond', variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Le prestataire ne répond pas', description: explain(error), variant: 'destructive' }),
    )
  return (
    <Button variant="secondary" size="small" loading={test.isPending} onClick={() => void run()}>
      Essayer
    </Button>
  )
})

const Edit = only(online.updateProvider, ({ provider }: { provider: OnlineProvider }) => {
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
      <Suspense fallback={null}>{open && <ProviderEdit provider={provider} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

const Close = only(online.closeProvider, ({ provider }: { provider: OnlineProvider }) => {
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

const ways = ({ card, debit }: OnlineProvider) =>
  [card && 'carte', debit && 'prélèvement SEPA'].filter(Boolean).join(' et ')

const Provider = ({ provider }: { provider: OnlineProvider }) => (
  <Card
    title={provider.owner.name}
    description={provider.everyone ? 'Encaisse aussi pour les vendeurs sans prestataire.' : 'Encaisse pour lui-même.'}
    actions={
      <>
        <Test provider={provider} />
        <Edit provider={provider} />
        <Close provider={provider} />
      </>
    }
  >
    <FactList
      facts={[
        {
          label: 'Environnement',
          value: (
            <Badge tone={provider.environment === 'live' ? 'success' : 'warning'}>
              {ENVIRONMENTS[provider.environment].label}
            </Badge>
          ),
        },
        { label: 'Moyens', value: ways(provider) },
        { label: 'Clé', value: <span className="tabular">•••• {provider.hint}</span> },
        { label: 'Essayé le', value: provider.testedAt ? dateTime(provider.testedAt) : 'Jamais' },
        {
          label: 'Dernier message',
          value: provider.lastHeardAt ? dateTime(provider.lastHeardAt) : 'Aucun pour l’instant',
        },
        {
          label: 'Messages refusés',
          value:
            provider.refused > 0
              ? `${plural(provider.refused, 'signature fausse', 'signatures fausses')}${provider.refusedAt ? `, la dernière le ${dateTime(provider.refusedAt)}` : ''}`
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
  const taken = new Set(data.items.map(({ owner }) => owner.id))
  const free = data.owners.filter(({ id }) => !taken.has(id))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="prose-width text-body text-ink-soft">
          Les participants paient par carte ou par prélèvement sur la page du prestataire&nbsp;; la facture est soldée
          dès qu’il le confirme. Les clés sont chiffrées, aucun écran ne les montre.
        </p>
        <Add owners={free} environments={data.environments} />
      </header>
      {data.items.length > 0 ? (
        <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
          {data.items.map((provider) => (
            <Provider key={provider.id} provider={provider} />
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
        <Letters />
      </Suspense>
    </div>
  )
}

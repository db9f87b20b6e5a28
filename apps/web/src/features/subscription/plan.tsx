import { useQuery } from '@tanstack/react-query'
import { PLANS } from '@voisol/contract/plan-prices'
import { type Subscription, subscription } from '@voisol/contract/subscription'
import type { PlanChange } from '@voisol/contract/subscription-words'
import type { z } from 'zod'
import { date, number } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AddOns } from './add-ons.tsx'
import { PlanCards } from './cards.tsx'
import { Endings } from './endings.tsx'
import { CHANGES, EVERY, stateOf, summaryOf } from './words.ts'

type Told = z.output<typeof subscription.get.response>

const Points = ({ used, limit }: Told['points']) =>
  limit === null ? (
    <p className="text-body">{`${number(used)} points de mesure utilisés, sans limite.`}</p>
  ) : (
    <Progress
      label={`${number(used)} points de mesure utilisés sur ${number(limit)}`}
      done={Math.min(1, used / limit)}
    />
  )

const KEEPS =
  'Votre organisation tient cette installation\u00a0: rien ne lui est facturé, et la limite de points est donnée à titre indicatif.'

function Current({ told, held }: { told: Told; held: Subscription }) {
  const { label, tone } = stateOf(held)
  return (
    <Card
      title={held.plan ? `Formule ${PLANS[held.plan].name}, ${EVERY[held.period]}` : 'Essai gratuit'}
      description={told.keeper ? KEEPS : summaryOf(held)}
      actions={<Badge tone={tone}>{label}</Badge>}
    >
      <div className="grid gap-4">
        <div className="grid max-w-xl gap-2">
          <Points {...told.points} />
          <p className="text-[0.8125rem] text-ink-soft">
            Ce qui tourne déjà n’est jamais coupé.{' '}
            <Link to="/usage-monitoring" className="text-link">
              Voir ce qui est utilisé
            </Link>
          </p>
        </div>
        {!told.keeper && <Endings held={held} />}
      </div>
    </Card>
  )
}

const columns: Column<PlanChange>[] = [
  { header: 'Jour', card: 'primary', cell: ({ on }) => date(on) },
  { header: 'Changement', card: 'title', cell: ({ kind }) => CHANGES[kind] },
  { header: 'Formule', card: 'primary', cell: ({ plan, period }) => `${PLANS[plan].name}, ${EVERY[period]}` },
  { header: 'Par', card: 'secondary', cell: ({ by }) => by },
]

const Unbound = ({ keeper, used }: { keeper: boolean; used: number }) => (
  <EmptyState
    title="Aucun abonnement n’est demandé"
    why={`${keeper ? 'Votre organisation tient cette installation' : 'Cette installation ne vend pas d’abonnement'}\u00a0: rien n’est limité. ${number(used)} points de mesure sont utilisés.`}
    because="all-well"
  />
)

/** The company's own plan: what it has, what it could have, and what became of it. */
export function Plan() {
  const { data, error, refetch } = useQuery({ ...query(subscription.get, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const { subscription: held, keeper } = data
  if (!held) return <Unbound keeper={keeper} used={data.points.used} />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Current told={data} held={held} />
      {!keeper && <PlanCards key={held.version} held={held} />}
      {!keeper && <AddOns subscription={held} />}
      {held.changes.length > 0 && (
        <Card title="Historique">
          <Table label="Changements de l’abonnement" rows={held.changes} columns={columns} />
        </Card>
      )}
    </div>
  )
}

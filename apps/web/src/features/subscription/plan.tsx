import { useQuery } from '@tanstack/react-query'
import { PLANS } from '@voisol/contract/plan-prices'
import { type Subscription, subscription } from '@voisol/contract/subscription'
import type { PlanChange } from '@voisol/contract/subscription-words'
import type { z } from 'zod'
import { formatDate, formatNumber } from '../../lib/format.ts'
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
import { SubscriptionEndActions } from './endings.tsx'
import { describeSubscription, getSubscriptionState, PLAN_CHANGE_LABELS, PLAN_PERIOD_LABELS } from './words.ts'

type SubscriptionReply = z.output<typeof subscription.get.response>

const PointsUsage = ({ used, limit }: SubscriptionReply['points']) =>
  limit === null ? (
    <p className="text-body">{`${formatNumber(used)} points de mesure utilisés, sans limite.`}</p>
  ) : (
    <Progress
      label={`${formatNumber(used)} points de mesure utilisés sur ${formatNumber(limit)}`}
      done={Math.min(1, used / limit)}
    />
  )

const OPERATOR_TEXT =
  'Votre organisation tient cette installation\u00a0: rien ne lui est facturé, et la limite de points est donnée à titre indicatif.'

function CurrentPlanCard({ told: reply, held: currentSubscription }: { told: SubscriptionReply; held: Subscription }) {
  const { label, tone } = getSubscriptionState(currentSubscription)
  return (
    <Card
      title={
        currentSubscription.plan
          ? `Formule ${PLANS[currentSubscription.plan].name}, ${PLAN_PERIOD_LABELS[currentSubscription.period]}`
          : 'Essai gratuit'
      }
      description={reply.keeper ? OPERATOR_TEXT : describeSubscription(currentSubscription)}
      actions={<Badge tone={tone}>{label}</Badge>}
    >
      <div className="grid gap-4">
        <div className="grid max-w-xl gap-2">
          <PointsUsage {...reply.points} />
          <p className="text-[0.8125rem] text-ink-soft">
            Ce qui tourne déjà n’est jamais coupé.{' '}
            <Link to="/usage-monitoring" className="text-link">
              Voir ce qui est utilisé
            </Link>
          </p>
        </div>
        {!reply.keeper && <SubscriptionEndActions held={currentSubscription} />}
      </div>
    </Card>
  )
}

const columns: Column<PlanChange>[] = [
  { header: 'Jour', card: 'primary', cell: ({ on }) => formatDate(on) },
  { header: 'Changement', card: 'title', cell: ({ kind }) => PLAN_CHANGE_LABELS[kind] },
  {
    header: 'Formule',
    card: 'primary',
    cell: ({ plan, period }) => `${PLANS[plan].name}, ${PLAN_PERIOD_LABELS[period]}`,
  },
  { header: 'Par', card: 'secondary', cell: ({ by }) => by },
]

const NoSubscription = ({ keeper, used }: { keeper: boolean; used: number }) => (
  <EmptyState
    title="Aucun abonnement n’est demandé"
    why={`${keeper ? 'Votre organisation tient cette installation' : 'Cette installation ne vend pas d’abonnement'}\u00a0: rien n’est limité. ${formatNumber(used)} points de mesure sont utilisés.`}
    because="all-well"
  />
)

/** The company's own plan: what it has, what it could have, and what became of it. */
export function SubscriptionPlan() {
  const { data, error, refetch } = useQuery({ ...query(subscription.get, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const { subscription: currentSubscription, keeper } = data
  if (!currentSubscription) return <NoSubscription keeper={keeper} used={data.points.used} />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <CurrentPlanCard told={data} held={currentSubscription} />
      {!keeper && <PlanCards key={currentSubscription.version} held={currentSubscription} />}
      {!keeper && <AddOns subscription={currentSubscription} />}
      {currentSubscription.changes.length > 0 && (
        <Card title="Historique">
          <Table label="Changements de l’abonnement" rows={currentSubscription.changes} columns={columns} />
        </Card>
      )}
    </div>
  )
}

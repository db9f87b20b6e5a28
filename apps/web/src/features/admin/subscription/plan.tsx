import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '@voisol/contract/endpoint'
import { ADD_ON_NAMES, ADD_ONS, type AddOnName, PLANS } from '@voisol/contract/plan-prices'
import type { PlanChange } from '@voisol/contract/plan-schemas'
import { type AddOn, type Subscription, subscription } from '@voisol/contract/subscription'
import type { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Progress } from '../../../components/progress.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatDate, formatMoney, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { refreshUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { PlanCards } from './cards.tsx'
import {
  ADD_ON_STATE_LABELS,
  describeSubscription,
  getSubscriptionState,
  PLAN_CHANGE_LABELS,
  PLAN_PERIOD_LABELS,
} from './labels.ts'

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

const DEPENDENT_QUERIES: Endpoint[] = [subscription.get, subscription.invoices]
type Props = { held: Subscription }

const ResumeButton = withAccess(subscription.resume, ({ held }: Props) => {
  const resume = useAction(subscription.resume, DEPENDENT_QUERIES)
  const keepPlan = async () => {
    await resume.run({ body: { version: held.version } })
    toast({ title: 'Votre formule continue', variant: 'success' })
  }
  return (
    <Button variant="secondary" loading={resume.isPending} onClick={keepPlan}>
      Garder la formule en cours
    </Button>
  )
})

const RefundButton = withAccess(subscription.refund, ({ held, until }: Props & { until: string }) => {
  const refund = useAction(subscription.refund, DEPENDENT_QUERIES)
  return (
    <Confirm
      title="Demander le remboursement&nbsp;?"
      description={`Tout ce qui a été facturé pour la formule vous est rendu par avoir, et l’abonnement s’arrête aujourd’hui\u00a0: votre organisation passe en lecture seule. Possible jusqu’au ${formatDate(until)} inclus.`}
      action="Être remboursé"
      onConfirm={async () => {
        await refund.run({ body: { version: held.version } })
        await refreshUser()
      }}
      trigger={<Button variant="quiet">Être remboursé, jusqu’au {formatDate(until)}</Button>}
    />
  )
})

const LeaveButton = withAccess(subscription.leave, ({ held }: Props) => {
  const leave = useAction(subscription.leave, DEPENDENT_QUERIES)
  return (
    <Confirm
      title="Arrêter l’abonnement&nbsp;?"
      description={`Il va jusqu’au ${held.paidTo ? formatDate(held.paidTo) : ''}, puis votre organisation passe en lecture seule. Rien n’est effacé.`}
      action="Arrêter l’abonnement"
      onConfirm={() => leave.run({ body: { version: held.version } })}
      trigger={<Button variant="quiet">Arrêter l’abonnement</Button>}
    />
  )
})

/** How a plan is left, given back, or kept after all. */
const SubscriptionEndActions = ({ held }: Props) => {
  const isRunning = held.state === 'active' || held.state === 'ending'
  if (!isRunning) return null
  return (
    <div className="flex flex-wrap gap-2">
      {(held.state === 'ending' || held.next) && <ResumeButton held={held} />}
      {held.moneyBackUntil && <RefundButton held={held} until={held.moneyBackUntil} />}
      {held.state === 'active' && <LeaveButton held={held} />}
    </div>
  )
}

const ADD_ONS_DEPENDENT_QUERIES = [subscription.get, subscription.invoices]

const OrderAddOnButton = withAccess(subscription.order, ({ kind }: { kind: AddOnName }) => {
  const { name, price, every } = ADD_ONS[kind]
  const order = useAction(subscription.order, ADD_ONS_DEPENDENT_QUERIES)
  const confirm = async () => {
    await order.run({ body: { kind, net: price } })
    toast({ title: `Option «\u00a0${name}\u00a0» commandée`, variant: 'success' })
  }
  const ttc = formatMoney((price * 12) / 10)
  return (
    <Confirm
      tone="primary"
      title={`Commander «\u00a0${name}\u00a0»\u00a0?`}
      description={`${formatMoney(price)} HT${every ? ' par mois' : ''}, soit ${ttc} TTC\u00a0: la facture est émise à la confirmation${every ? ', puis chaque mois jusqu’à l’arrêt' : ''}.`}
      action="Commander l’option"
      onConfirm={confirm}
      trigger={
        <Button variant="secondary" size="small" aria-label={`Commander ${name}`}>
          Commander
        </Button>
      }
    />
  )
})

const StopAddOnButton = withAccess(subscription.stop, ({ addOn }: { addOn: AddOn }) => {
  const stop = useAction(subscription.stop, ADD_ONS_DEPENDENT_QUERIES)
  const { name } = ADD_ONS[addOn.kind]
  return (
    <Confirm
      title={`Arrêter «\u00a0${name}\u00a0»\u00a0?`}
      description={`L’option reste ouverte jusqu’au ${addOn.paidTo ? formatDate(addOn.paidTo) : ''}, puis n’est plus facturée.`}
      action="Arrêter l’option"
      onConfirm={() => stop.run({ params: { id: addOn.id } })}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Arrêter ${name}`}>
          Arrêter
        </Button>
      }
    />
  )
})

const describeAddOnState = ({ orderedOn, paidTo, state }: AddOn) =>
  paidTo && state !== 'done' ? `payée jusqu’au ${formatDate(paidTo)}` : `commandée le ${formatDate(orderedOn)}`

const ADD_ON_TEXTS = {
  training: 'Pour l’équipe qui tient l’opération\u00a0: clés, clôture du mois, lecture des écarts.',
  audit: 'Vos courbes relues par un spécialiste\u00a0: profils, puissance utile, clé recommandée.',
  priority: 'Vos demandes de support passent en tête de file.',
} as const

function AddOnItem({ kind, held: ordered, open }: { kind: AddOnName; held: AddOn[]; open: boolean }) {
  const { name, price, every } = ADD_ONS[kind]
  const running = ordered.find(({ state }) => state === 'running' || state === 'ending')
  return (
    <li className="grid items-start gap-x-6 gap-y-2 py-4 sm:grid-cols-[1fr_auto_8rem]">
      <div className="min-w-0">
        <h3 className="font-medium">{name}</h3>
        <p className="text-body text-ink-soft">{ADD_ON_TEXTS[kind]}</p>
        {ordered.map((addOn) => (
          <p key={addOn.id} className="mt-1.5 flex flex-wrap items-center gap-2 text-[0.8125rem] text-ink-soft">
            <Badge tone={ADD_ON_STATE_LABELS[addOn.state].tone}>{ADD_ON_STATE_LABELS[addOn.state].label}</Badge>
            {describeAddOnState(addOn)}
          </p>
        ))}
      </div>
      <p className="tabular font-medium whitespace-nowrap">
        {`${formatMoney(price).replace(',00', '')} HT`}
        {every && <span className="font-normal text-ink-soft"> par mois</span>}
      </p>
      <div className="sm:justify-self-end">
        {running?.state === 'running' && <StopAddOnButton addOn={running} />}
        {open && !running && <OrderAddOnButton kind={kind} />}
      </div>
    </li>
  )
}

/** What can be added to a plan, what was, and until when. */
const AddOns = ({ subscription: current }: { subscription: Subscription }) => (
  <Card title="Les options" description="Elles s’ajoutent à n’importe quelle formule, quand vous en avez besoin.">
    <ul className="divide-y divide-line border-line border-y">
      {ADD_ON_NAMES.map((kind) => (
        <AddOnItem
          key={kind}
          kind={kind}
          held={current.addOns.filter((one) => one.kind === kind)}
          open={current.state === 'active' || current.state === 'ending'}
        />
      ))}
      <li className="grid items-start gap-x-6 gap-y-2 py-4 sm:grid-cols-[1fr_auto_8rem]">
        <div>
          <h3 className="font-medium">Intégrations personnalisées</h3>
          <p className="text-body text-ink-soft">
            Comptabilité, supervision, gestion locative&nbsp;: avec ce que vous utilisez déjà.
          </p>
        </div>
        <p className="font-medium">Sur devis</p>
        <div className="sm:justify-self-end">
          <ButtonLink to="/contact" variant="secondary" size="small">
            Nous contacter
          </ButtonLink>
        </div>
      </li>
    </ul>
  </Card>
)

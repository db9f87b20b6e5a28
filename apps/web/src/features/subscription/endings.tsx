import type { Endpoint } from '@voisol/contract/endpoint'
import { type Subscription, subscription } from '@voisol/contract/subscription'
import { withAccess } from '../../lib/can.tsx'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'

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
export const SubscriptionEndActions = ({ held }: Props) => {
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

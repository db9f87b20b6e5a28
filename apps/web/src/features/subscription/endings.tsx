import type { Endpoint } from '@voisol/contract/endpoint'
import { type Subscription, subscription } from '@voisol/contract/subscription'
import { only } from '../../lib/can.tsx'
import { date } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'

const REFRESHED: Endpoint[] = [subscription.get, subscription.invoices]
type Props = { held: Subscription }

const Resume = only(subscription.resume, ({ held }: Props) => {
  const resume = useAction(subscription.resume, REFRESHED)
  const keep = async () => {
    await resume.run({ body: { version: held.version } })
    toast({ title: 'Votre formule continue', variant: 'success' })
  }
  return (
    <Button variant="secondary" loading={resume.isPending} onClick={keep}>
      Garder la formule en cours
    </Button>
  )
})

const Refund = only(subscription.refund, ({ held, until }: Props & { until: string }) => {
  const refund = useAction(subscription.refund, REFRESHED)
  return (
    <Confirm
      title="Demander le remboursement&nbsp;?"
      description={`Tout ce qui a été facturé pour la formule vous est rendu par avoir, et l’abonnement s’arrête aujourd’hui\u00a0: votre organisation passe en lecture seule. Possible jusqu’au ${date(until)} inclus.`}
      action="Être remboursé"
      onConfirm={async () => {
        await refund.run({ body: { version: held.version } })
        await refreshUser()
      }}
      trigger={<Button variant="quiet">Être remboursé, jusqu’au {date(until)}</Button>}
    />
  )
})

const Leave = only(subscription.leave, ({ held }: Props) => {
  const leave = useAction(subscription.leave, REFRESHED)
  return (
    <Confirm
      title="Arrêter l’abonnement&nbsp;?"
      description={`Il va jusqu’au ${held.paidTo ? date(held.paidTo) : ''}, puis votre organisation passe en lecture seule. Rien n’est effacé.`}
      action="Arrêter l’abonnement"
      onConfirm={() => leave.run({ body: { version: held.version } })}
      trigger={<Button variant="quiet">Arrêter l’abonnement</Button>}
    />
  )
})

/** How a plan is left, given back, or kept after all. */
export const Endings = ({ held }: Props) => {
  const running = held.state === 'active' || held.state === 'ending'
  if (!running) return null
  return (
    <div className="flex flex-wrap gap-2">
      {(held.state === 'ending' || held.next) && <Resume held={held} />}
      {held.moneyBackUntil && <Refund held={held} until={held.moneyBackUntil} />}
      {held.state === 'active' && <Leave held={held} />}
    </div>
  )
}

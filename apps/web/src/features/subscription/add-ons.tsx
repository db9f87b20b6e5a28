import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from '@voisol/contract/plan-prices'
import { type AddOn, type Subscription, subscription } from '@voisol/contract/subscription'
import { withAccess } from '../../lib/can.tsx'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ADD_ON_STATE_LABELS, ADD_ON_TEXTS } from './words.ts'

const DEPENDENT_QUERIES = [subscription.get, subscription.invoices]

const OrderAddOnButton = withAccess(subscription.order, ({ kind }: { kind: AddOnName }) => {
  const { name, price, every } = ADD_ONS[kind]
  const order = useAction(subscription.order, DEPENDENT_QUERIES)
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
  const stop = useAction(subscription.stop, DEPENDENT_QUERIES)
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
export const AddOns = ({ subscription: current }: { subscription: Subscription }) => (
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

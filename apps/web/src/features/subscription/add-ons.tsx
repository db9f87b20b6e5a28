import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from '@voisol/contract/plan-prices'
import { type AddOn, type Subscription, subscription } from '@voisol/contract/subscription'
import { only } from '../../lib/can.tsx'
import { date, money } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ADD_ON_STATES, ADD_ON_TEXTS } from './words.ts'

const REFRESHED = [subscription.get, subscription.invoices]

const Order = only(subscription.order, ({ kind }: { kind: AddOnName }) => {
  const { name, price, every } = ADD_ONS[kind]
  const order = useAction(subscription.order, REFRESHED)
  const confirm = async () => {
    await order.run({ body: { kind, net: price } })
    toast({ title: `Option «\u00a0${name}\u00a0» commandée`, variant: 'success' })
  }
  const ttc = money((price * 12) / 10)
  return (
    <Confirm
      tone="primary"
      title={`Commander «\u00a0${name}\u00a0»\u00a0?`}
      description={`${money(price)} HT${every ? ' par mois' : ''}, soit ${ttc} TTC\u00a0: la facture est émise à la confirmation${every ? ', puis chaque mois jusqu’à l’arrêt' : ''}.`}
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

const Stop = only(subscription.stop, ({ addOn }: { addOn: AddOn }) => {
  const stop = useAction(subscription.stop, REFRESHED)
  const { name } = ADD_ONS[addOn.kind]
  return (
    <Confirm
      title={`Arrêter «\u00a0${name}\u00a0»\u00a0?`}
      description={`L’option reste ouverte jusqu’au ${addOn.paidTo ? date(addOn.paidTo) : ''}, puis n’est plus facturée.`}
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

const stateWords = ({ orderedOn, paidTo, state }: AddOn) =>
  paidTo && state !== 'done' ? `payée jusqu’au ${date(paidTo)}` : `commandée le ${date(orderedOn)}`

function Item({ kind, held, open }: { kind: AddOnName; held: AddOn[]; open: boolean }) {
  const { name, price, every } = ADD_ONS[kind]
  const running = held.find(({ state }) => state === 'running' || state === 'ending')
  return (
    <li className="grid items-start gap-x-6 gap-y-2 py-4 sm:grid-cols-[1fr_auto_8rem]">
      <div className="min-w-0">
        <h3 className="font-medium">{name}</h3>
        <p className="text-body text-ink-soft">{ADD_ON_TEXTS[kind]}</p>
        {held.map((addOn) => (
          <p key={addOn.id} className="mt-1.5 flex flex-wrap items-center gap-2 text-[0.8125rem] text-ink-soft">
            <Badge tone={ADD_ON_STATES[addOn.state].tone}>{ADD_ON_STATES[addOn.state].label}</Badge>
            {stateWords(addOn)}
          </p>
        ))}
      </div>
      <p className="tabular font-medium whitespace-nowrap">
        {`${money(price).replace(',00', '')} HT`}
        {every && <span className="font-normal text-ink-soft"> par mois</span>}
      </p>
      <div className="sm:justify-self-end">
        {running?.state === 'running' && <Stop addOn={running} />}
        {open && !running && <Order kind={kind} />}
      </div>
    </li>
  )
}

/** What can be added to a plan, what was, and until when. */
export const AddOns = ({ subscription: held }: { subscription: Subscription }) => (
  <Card title="Les options" description="Elles s’ajoutent à n’importe quelle formule, quand vous en avez besoin.">
    <ul className="divide-y divide-line border-line border-y">
      {ADD_ON_NAMES.map((kind) => (
        <Item
          key={kind}
          kind={kind}
          held={held.addOns.filter((one) => one.kind === kind)}
          open={held.state === 'active' || held.state === 'ending'}
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

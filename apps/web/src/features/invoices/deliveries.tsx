import type { Channel, Delivery, InvoiceDetail } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import Send from 'lucide-react/icons/send'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { DeliveryTracking } from './follow.tsx'
import { getChannelLabel, getDeliveryLabel } from './labels.ts'

const DELIVERY_CHANNELS: { channel: Channel; label: string; done: string }[] = [
  { channel: 'mail', label: 'Par e-mail, avec le PDF', done: 'Le message part dans un instant.' },
  { channel: 'portal', label: 'Dans l’espace client', done: 'Le document est disponible dans l’espace client.' },
  {
    channel: 'chorus',
    label: 'Sur Chorus Pro (dépôt du fichier)',
    done: 'Téléchargez le fichier, puis déposez-le sur Chorus Pro et notez ce qu’il devient.',
  },
  { channel: 'pa', label: 'Par la plateforme agréée', done: 'La facture est déposée dans un instant.' },
]

function useSendInvoice(id: string) {
  const send = useAction(invoices.send, [invoices.get, invoices.list])
  const sendBy = ({ channel, done }: (typeof DELIVERY_CHANNELS)[number]) =>
    send
      .run({ params: { id }, body: { channel } })
      .then(() => toast({ title: 'Envoi enregistré', description: done, variant: 'success' }))
      .catch((error: unknown) =>
        toast({ title: 'Envoi impossible', description: explainError(error), variant: 'destructive' }),
      )
  return { by: sendBy, busy: send.isPending }
}

/** The way is chosen each time; the first one offered is the buyer's own. */
export const SendMenu = withAccess(invoices.send, ({ detail }: { detail: InvoiceDetail }) => {
  const { by, busy } = useSendInvoice(detail.id)
  const preferred = detail.snapshot.buyer.delivery
  // Without a platform, or without a form that it reads, there is nothing to send it.
  const open = DELIVERY_CHANNELS.filter(({ channel }) => channel !== 'pa' || detail.platform)
  const ways = open.toSorted((a, b) => Number(b.channel === preferred) - Number(a.channel === preferred))
  return (
    <Menu
      trigger={
        <Button loading={busy} icon={<Send aria-hidden="true" />}>
          {detail.deliveries.length > 0 ? 'Envoyer à nouveau' : 'Envoyer'}
        </Button>
      }
    >
      {ways.map((way) => (
        <MenuItem key={way.channel} onSelect={() => void by(way)}>
          {way.label}
        </MenuItem>
      ))}
    </Menu>
  )
})

const DeliveryRow = ({ delivery: { channel, state, detail, at, by } }: { delivery: Delivery }) => (
  <li className="grid gap-0.5 py-2.5 first:pt-0 last:pb-0">
    <span className="flex flex-wrap items-center justify-between gap-2">
      <span className="font-medium">{getChannelLabel(channel)}</span>
      <Badge tone={getDeliveryLabel(state).tone}>{getDeliveryLabel(state).label}</Badge>
    </span>
    {detail && <span className="text-[0.8125rem] break-words text-ink-soft">{detail}</span>}
    <span className="text-[0.8125rem] text-ink-soft">
      {formatDateTime(at)}
      {by && ` · ${by}`}
    </span>
  </li>
)

export const InvoiceDeliveries = ({ detail }: { detail: InvoiceDetail }) => {
  const { deliveries } = detail
  return (
    <Card title="Envois">
      {deliveries.length === 0 ? (
        <p className="text-body text-ink-soft">Ce document n’a pas encore été envoyé.</p>
      ) : (
        <ul className="divide-y divide-line">
          {deliveries.toReversed().map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <div className="mt-3 empty:hidden">
        <DeliveryTracking detail={detail} />
      </div>
    </Card>
  )
}

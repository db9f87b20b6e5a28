import { useQuery } from '@tanstack/react-query'
import {
  type Channel,
  DELIVERY_STATE_LABELS,
  type Delivery,
  type InvoiceDetail,
  type TrackedState,
} from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS, type InvoiceKind } from '@voisol/contract/money'
import Send from 'lucide-react/icons/send'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Textarea } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ApiError } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDate, formatDateTime, formatMoney } from '../../../lib/format.ts'
import { useObjectName } from '../../../lib/object-names.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { DownloadButton } from './download-button.tsx'
import { InvoiceDocument } from './invoice-document.tsx'
import { InvoiceExplanation, Recompute } from './invoice-explanation.tsx'
import { InvoicePayments } from './invoice-payments.tsx'
import { InvoiceHistory, InvoiceSources, RelatedDocuments } from './invoice-sources.tsx'
import { getChannelLabel, getDeliveryLabel, getInvoiceStateLabel, INVOICE_STATE_LABELS } from './labels.ts'

const InvoiceNotFound = () => (
  <>
    <PageHeader title="Facture introuvable" />
    <EmptyState
      title="Ce document n’existe pas"
      why="L’adresse est incomplète, ou c’est celle d’une autre entreprise."
      action={<ButtonLink to="/invoices">Voir les factures</ButtonLink>}
    />
  </>
)

/** What stands open of it, in a sentence. */
function describeBalance({ state, open, snapshot }: InvoiceDetail): string {
  if (state === 'told') return 'Ce relevé n’appelle aucun paiement.'
  if (state === 'credit') return `${formatMoney(open)} restent à imputer ou à rembourser.`
  if (state === 'settled') return snapshot.kind === 'creditNote' ? 'Entièrement imputé.' : 'Rien ne reste dû.'
  if (snapshot.debit && state !== 'overdue')
    return `${formatMoney(open)} restent dus, à prélever à partir du ${formatDate(snapshot.debit.collectionOn)} (mandat ${snapshot.debit.rum}).`
  return `${formatMoney(open)} restent dus${state === 'overdue' ? ' depuis le' : ', à régler au plus tard le'} ${formatDate(snapshot.dueOn)}.`
}

const InvoiceActions = ({ detail }: { detail: InvoiceDetail }) => (
  <>
    <DownloadButton endpoint={invoices.pdf} input={{ params: { id: detail.id } }}>
      PDF
    </DownloadButton>
    {detail.hasXml && (
      <DownloadButton endpoint={invoices.xml} input={{ params: { id: detail.id } }}>
        XML Factur-X
      </DownloadButton>
    )}
    {detail.notice && (
      <DownloadButton endpoint={invoices.dueNotice} input={{ params: { id: detail.id } }}>
        Avis d’échéance
      </DownloadButton>
    )}
    <SendMenu detail={detail} />
    {(detail.state === 'due' || detail.state === 'overdue') && (
      <ButtonLink to={`/dashboard/payment/${detail.id}`} variant="secondary">
        Encaisser en ligne
      </ButtonLink>
    )}
  </>
)

const buildExplanationLink =
  ({ snapshot: { operation, buyer } }: InvoiceDetail) =>
  (month: string) =>
    `/acc-operations/${operation.id}/why?${new URLSearchParams({ membre: buyer.id, mois: month })}`

const formatInvoiceTitle = ({ kind, number }: { kind: InvoiceKind; number: string }) =>
  `${INVOICE_KIND_LABELS[kind]} ${number}`

const InvoiceView = ({ detail }: { detail: InvoiceDetail }) => (
  <>
    <PageHeader
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {formatInvoiceTitle(detail.snapshot)}
          <Badge tone={INVOICE_STATE_LABELS[detail.state].tone}>
            {getInvoiceStateLabel(detail.snapshot.kind, detail.state)}
          </Badge>
        </span>
      }
      description={
        <>
          <Link to={`/participant-billing?participant=${detail.snapshot.buyer.id}`} className="text-link">
            {detail.snapshot.buyer.name}
          </Link>
          . {describeBalance(detail)}
        </>
      }
      actions={<InvoiceActions detail={detail} />}
    />
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] [&>*]:min-w-0">
      <div className="grid gap-6 [&>*]:min-w-0">
        <InvoiceDocument id={detail.id} snapshot={detail.snapshot} why={buildExplanationLink(detail)} />
        <Recompute id={detail.id} />
      </div>
      <div className="grid gap-6 md:max-xl:grid-cols-2 [&>*]:min-w-0">
        <InvoicePayments id={detail.id} kind={detail.snapshot.kind} />
        <Card title="Expliquer cette facture" description="Ce que lit le client dans son espace.">
          <InvoiceExplanation id={detail.id} />
        </Card>
        <RelatedDocuments detail={detail} />
        <InvoiceDeliveries detail={detail} />
        <InvoiceSources detail={detail} />
        <InvoiceHistory history={detail.history} />
      </div>
    </div>
  </>
)

export default function InvoiceScreen() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(query(invoices.get, { params: { id } }))
  useObjectName(data && formatInvoiceTitle(data.snapshot), 'Facture')
  if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return <InvoiceNotFound />
  if (data) return <InvoiceView detail={data} />
  return (
    <>
      <PageHeader title="Facture" />
      {error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="h-96 w-full" />}
    </>
  )
}

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
const SendMenu = withAccess(invoices.send, ({ detail }: { detail: InvoiceDetail }) => {
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

const InvoiceDeliveries = ({ detail }: { detail: InvoiceDetail }) => {
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

type FollowedChannel = 'chorus' | 'pa'
const isFollowedChannel = (channel: string): channel is FollowedChannel => channel === 'chorus' || channel === 'pa'

/** What may be learnt next of a document that somebody else carries; the server has the last word. */
const NEXT_STATES: Record<string, TrackedState[]> = {
  waiting: ['deposited', 'available', 'rejected'],
  deposited: ['available', 'paid', 'rejected'],
  available: ['paid', 'rejected'],
  rejected: ['deposited'],
}

function useRecordState(id: string, channel: FollowedChannel) {
  const { run, isPending } = useAction(invoices.follow, [invoices.get, invoices.list])
  const recordState = (state: TrackedState, detail = '') =>
    run({ params: { id }, body: { channel, state, detail } })
      .then(() => true)
      .catch((error: unknown) => {
        toast({ title: 'État non enregistré', description: explainError(error), variant: 'destructive' })
        return false
      })
  return { say: recordState, isPending }
}

function RejectionForm({ onSay, busy }: { onSay: (why: string) => void; busy: boolean }) {
  const [why, setWhy] = useState('')
  return (
    <div className="grid w-full gap-2">
      <Textarea
        aria-label="Motif du rejet"
        placeholder={'Motif du rejet, par exemple «\u00a0numéro d’engagement inconnu\u00a0»'}
        rows={2}
        value={why}
        onChange={(event) => setWhy(event.target.value)}
      />
      <Button variant="secondary" loading={busy} disabled={why.trim().length < 3} onClick={() => onSay(why)}>
        Noter le rejet
      </Button>
    </div>
  )
}

/** On Chorus Pro or a platform a document goes on living: what one learns of it is noted here. */
const RecordStateMenu = ({ id, channel, next }: { id: string; channel: FollowedChannel; next: TrackedState[] }) => {
  const [rejecting, setRejecting] = useState(false)
  const { say, isPending } = useRecordState(id, channel)
  if (rejecting)
    return (
      <RejectionForm
        busy={isPending}
        onSay={(why) => void say('rejected', why).then((done) => done && setRejecting(false))}
      />
    )
  return (
    <Menu
      trigger={
        <Button variant="secondary" size="small" loading={isPending}>
          Noter l’état
        </Button>
      }
    >
      {next.map((state) => (
        <MenuItem key={state} onSelect={() => (state === 'rejected' ? setRejecting(true) : void say(state))}>
          {DELIVERY_STATE_LABELS[state]}
        </MenuItem>
      ))}
    </Menu>
  )
}

const DeliveryTracking = withAccess(invoices.follow, ({ detail }: { detail: InvoiceDetail }) => {
  const last = detail.deliveries.findLast(({ channel }) => isFollowedChannel(channel))
  const next = last && NEXT_STATES[last.state]
  return last && isFollowedChannel(last.channel) && next ? (
    <RecordStateMenu id={detail.id} channel={last.channel} next={next} />
  ) : null
})

import { useQuery } from '@tanstack/react-query'
import type { InvoiceDetail } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { useParams } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useObjectName } from '../../lib/subject.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { InvoiceDeliveries, SendMenu } from './deliveries.tsx'
import { DownloadButton } from './download-button.tsx'
import { InvoiceExplanation } from './explanation.tsx'
import { formatInvoiceTitle, getInvoiceStateLabel, INVOICE_STATE_LABELS } from './labels.ts'
import { InvoicePayments } from './paid.tsx'
import { InvoiceDocument } from './paper.tsx'
import { Recompute } from './recompute.tsx'
import { InvoiceHistory, InvoiceSources, RelatedDocuments } from './sources.tsx'

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

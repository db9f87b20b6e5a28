import { useQuery } from '@tanstack/react-query'
import type { InvoiceRow } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatInvoiceHeadline, formatInvoicePeriod, formatInvoicePeriodWithDe } from '../../../lib/billing-labels.ts'
import { formatDate, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { DownloadButton } from './download-button.tsx'
import { InvoiceExplanation, Recompute } from './invoice-explanation.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { InvoicePayments } from './invoice-payments.tsx'
import {
  findOldestOverdue,
  formatDocumentKwh,
  formatSignedAmount,
  getInvoiceStateLabel,
  INVOICE_STATE_LABELS,
} from './labels.ts'

const PayLink = lazy(() => import('./pay-link.tsx'))

const SelectedDocument = ({ row }: { row: InvoiceRow }) => (
  <section aria-label="Document choisi" className="rounded-card border border-amber-200 bg-amber-50 p-6 sm:p-8">
    <p className="text-lg text-ink-soft">
      {INVOICE_KIND_LABELS[row.kind]} {formatInvoicePeriodWithDe(row)}
    </p>
    <p className="mt-1 text-2xl leading-snug font-semibold tracking-[-0.02em] sm:text-[2rem]">
      {formatInvoiceHeadline(row)}
    </p>
    <p className="prose-width mt-3">
      {row.kind === 'creditNote' || row.kind === 'complement'
        ? 'Une correction'
        : `${formatDocumentKwh(row.wh)} d’énergie locale`}
      , par {row.seller.name}. Document n°&nbsp;
      <span className="tabular">{row.number}</span>.
    </p>
    <div className="mt-5 flex flex-wrap gap-3">
      <Suspense fallback={null}>
        <PayLink row={row} />
      </Suspense>
      <DownloadButton
        endpoint={invoices.pdf}
        input={{ params: { id: row.id } }}
        variant={row.state === 'due' || row.state === 'overdue' ? 'secondary' : 'primary'}
        size="large"
        className="w-full sm:w-auto"
      >
        Télécharger le PDF
      </DownloadButton>
    </div>
    <DueNoticeSummary id={row.id} />
  </section>
)

type RowProps = { row: InvoiceRow; chosen: boolean; onChoose: (id: string) => void }

const HistoryRow = ({ row, chosen, onChoose }: RowProps) => (
  <li>
    <button
      type="button"
      aria-current={chosen ? 'true' : undefined}
      onClick={() => onChoose(row.id)}
      className={cx(
        'flex min-h-16 w-full items-center gap-4 px-5 py-3 text-left transition-colors duration-150 hover:bg-page sm:px-6',
        chosen && 'bg-primary-soft',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium first-letter:uppercase">{formatInvoicePeriod(row)}</span>
        <span className="block text-body text-ink-soft">
          {INVOICE_KIND_LABELS[row.kind]} · {formatDate(row.issuedOn)} · {row.seller.name}
        </span>
      </span>
      <span className="grid justify-items-end gap-1">
        <span className="tabular font-medium">{formatSignedAmount(row.kind, row.gross)}</span>
        <Badge tone={INVOICE_STATE_LABELS[row.state].tone}>{getInvoiceStateLabel(row.kind, row.state)}</Badge>
      </span>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
    </button>
  </li>
)

const MAX_LISTED_INVOICES = 100

/** What is late comes before what is new: it is why somebody opens this. */
const pickFirstInvoice = (rows: InvoiceRow[]): InvoiceRow | undefined => findOldestOverdue(rows) ?? rows[0]

function PortalDocuments({ rows, open }: { rows: InvoiceRow[]; open: number }) {
  const [search, setSearch] = useSearchParams()
  const chosen = rows.find(({ id }) => id === search.get('facture')) ?? pickFirstInvoice(rows)
  const choose = (facture: string) => {
    setSearch({ facture })
    window.scrollTo({ top: 0 })
  }
  if (!chosen) return null
  return (
    <>
      <SelectedDocument row={chosen} />
      <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <div className="grid gap-6 [&>*]:min-w-0">
          <InvoicePayments id={chosen.id} kind={chosen.kind} own />
          <Card title="En mots simples">
            <InvoiceExplanation id={chosen.id} />
          </Card>
        </div>
        <Card
          title="Tous mes documents"
          description={open > 0 ? `Il vous reste ${formatMoney(open)} à payer en tout.` : 'Vous ne devez rien.'}
        >
          <ul className="-mx-5 -mb-5 divide-y divide-line border-t border-line sm:-mx-6 sm:-mb-6">
            {rows.map((row) => (
              <HistoryRow key={row.id} row={row} chosen={row.id === chosen.id} onChoose={choose} />
            ))}
          </ul>
        </Card>
      </div>
      <PortalLines key={`lines ${chosen.id}`} id={chosen.id} />
      <Recompute key={chosen.id} id={chosen.id} />
    </>
  )
}

/** For somebody with no time: the one that is late or else the last one, what it says, its paper; then all the others. */
export default function PortalInvoices() {
  const { data, error, refetch } = useQuery(query(invoices.list, { query: { size: MAX_LISTED_INVOICES } }))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <header>
        <h1 className="text-3xl font-semibold">Mes factures</h1>
        <p className="prose-width mt-2 text-lg text-ink-soft">Ce que vous devez, et pourquoi, ligne par ligne.</p>
      </header>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-96 w-full" />
      ) : data.items.length > 0 ? (
        <PortalDocuments rows={data.items} open={data.totals.open} />
      ) : (
        <EmptyState
          title="Aucune facture pour l’instant"
          why="Votre première facture paraîtra ici dès que votre organisation aura clôturé un mois. Nous vous préviendrons."
          because="comes-by-itself"
        />
      )}
    </div>
  )
}

/** The lines as printed, for who wants to see where each cent comes from. */
function PortalLines({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(invoices.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-48 w-full" />
  const { operation, buyer } = data.snapshot
  const why = (month: string) =>
    `/client-portal/why?${new URLSearchParams({ operation: operation.id ?? '', membre: buyer.id, mois: month })}`
  return (
    <Card
      title="Ligne par ligne"
      description="Ouvrez une ligne pour voir ses jours, puis un jour pour ses quarts d’heure."
    >
      <InvoiceLines id={id} snapshot={data.snapshot} why={why} />
    </Card>
  )
}

/** Where several sellers ask for something at once: what they come to, and the page that says whom to pay. */
function DueNoticeSummary({ id }: { id: string }) {
  const { data } = useQuery(query(invoices.get, { params: { id } }))
  if (!data?.notice) return null
  const { documents, sellers, gross, open } = data.notice
  return (
    <div className="mt-6 grid gap-3 border-t border-amber-200 pt-5">
      <p className="prose-width">
        Émis avec {documents - 1 > 1 ? `${documents - 1} autres documents` : 'un autre document'}, de {sellers} vendeurs
        en tout&nbsp;: <span className="font-medium">{formatMoney(gross)}</span> ensemble
        {open > 0 ? (
          <>
            , dont <span className="font-medium">{formatMoney(open)}</span> restent à payer
          </>
        ) : (
          ', entièrement réglés'
        )}
        . L’avis d’échéance dit en une page à qui, combien et comment.
      </p>
      <DownloadButton
        endpoint={invoices.dueNotice}
        input={{ params: { id } }}
        size="large"
        className="w-full justify-self-start sm:w-auto"
      >
        Avis d’échéance
      </DownloadButton>
    </div>
  )
}

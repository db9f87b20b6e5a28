import { useQuery } from '@tanstack/react-query'
import { CORRECTION_CAUSE_LABELS, corrections, type ProposedChange, type Review } from '@voisol/contract/corrections'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Textarea } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatSignedMoney } from '../../../lib/billing-labels.ts'
import { Can } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatKwh, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const OUTCOME_BADGES: Record<ProposedChange['becomes'], { label: string; tone: Tone }> = {
  creditNote: { label: 'Avoir', tone: 'success' },
  complement: { label: 'Facture complémentaire', tone: 'warning' },
  held: { label: 'Retenu', tone: 'neutral' },
  barred: { label: 'Trop ancien', tone: 'neutral' },
  reissued: { label: 'Relevé', tone: 'neutral' },
}
type IssuedDocument = EndpointReply<typeof corrections.get>['documents'][number]
const formatWhAsKwh = (wh: number) => formatKwh(wh / 1000, 3)

const columns: Column<ProposedChange & { id: string }>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller }) => (
      <span className="block min-w-36">
        <span className="block font-medium">{buyer}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{seller}</span>
      </span>
    ),
  },
  { header: 'Facturé', card: 'primary', align: 'end', cell: ({ whBefore }) => formatWhAsKwh(whBefore) },
  { header: 'Recalculé', card: 'primary', align: 'end', cell: ({ whAfter }) => formatWhAsKwh(whAfter) },
  { header: 'Écart HT', align: 'end', cell: ({ delta }) => formatSignedMoney(delta.net) },
  {
    header: 'Écart TTC',
    card: 'primary',
    align: 'end',
    cell: ({ delta }) => <strong>{formatSignedMoney(delta.gross)}</strong>,
  },
  {
    header: 'Devient',
    card: 'primary',
    cell: ({ becomes }) => <Badge tone={OUTCOME_BADGES[becomes].tone}>{OUTCOME_BADGES[becomes].label}</Badge>,
  },
]

const issuedColumns: Column<IssuedDocument>[] = [
  {
    header: 'Document',
    card: 'title',
    cell: ({ id, number, kind }) => (
      <span className="block min-w-36">
        <Link to={`/invoice/${id}`} className="text-link tabular">
          {number}
        </Link>
        <span className="block text-[0.8125rem] text-ink-soft">{INVOICE_KIND_LABELS[kind]}</span>
      </span>
    ),
  },
  { header: 'Acheteur', card: 'primary', cell: ({ buyer }) => buyer },
  {
    header: 'TTC',
    card: 'primary',
    align: 'end',
    cell: ({ kind, gross }) => <strong>{formatSignedMoney(kind === 'creditNote' ? -gross : gross)}</strong>,
  },
]

export default function CorrectionChanges({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({ ...query(corrections.get, { params: { id } }), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const { causes, changes, documents, summary, state, decidedBy, reason } = data
  return (
    <div className="flex flex-col gap-4">
      <p>
        {causes.map((cause) => CORRECTION_CAUSE_LABELS[cause]).join('. ')}. Les acheteurs que rien ne concerne ne
        reçoivent rien.
      </p>
      {state === 'open' ? (
        <Table
          label="Ce qui change, par acheteur"
          rows={changes.map((change) => ({ ...change, id: `${change.month} ${change.sellerId} ${change.buyerId}` }))}
          columns={columns}
        />
      ) : (
        documents.length > 0 && <Table label="Documents émis" rows={documents} columns={issuedColumns} />
      )}
      <p className="text-ink-soft">
        Effet de l’ensemble&nbsp;: <strong>{formatSignedMoney(summary.delta.gross)}</strong> TTC
        {summary.held.buyers > 0 &&
          `\u00a0; ${formatSignedMoney(summary.held.gross)} retenus, trop peu pour un document, et repris à la prochaine régularisation`}
        {summary.barred.buyers > 0 && `\u00a0; ${formatMoney(summary.barred.gross)} trop anciens pour être réclamés`}.
      </p>
      {state === 'open' ? (
        <CorrectionDecisionButtons review={data} seal={data.seal} />
      ) : (
        <p className="text-ink-soft">
          {state === 'left' ? `Laissée sans suite par ${decidedBy}\u00a0: ${reason}` : `Régularisée par ${decidedBy}.`}
        </p>
      )}
    </div>
  )
}

type Props = { review: Review; seal: string }
const showFailure = (error: unknown) =>
  toast({ title: 'Régularisation impossible', description: explainError(error), variant: 'destructive' })

function DismissCorrection({ review }: Pick<Props, 'review'>) {
  const [reason, setReason] = useState<string>()
  const leave = useAction(corrections.leave, [corrections.list, corrections.get])
  if (reason === undefined)
    return (
      <Button variant="quiet" onClick={() => setReason('')}>
        Laisser sans suite
      </Button>
    )
  return (
    <div className="flex w-full flex-col gap-2">
      <Textarea
        aria-label="Pourquoi laisser cette régularisation sans suite"
        placeholder="Pourquoi&nbsp;? Ce motif reste au journal."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        variant="secondary"
        disabled={reason.trim().length < 10 || leave.isPending}
        onClick={() => void leave.run({ params: { id: review.id }, body: { reason } }).catch(showFailure)}
      >
        Laisser sans suite
      </Button>
    </div>
  )
}

/** One press issues what is shown, and nothing else: what changed since is shown again first. */
function IssueCorrection({ review, seal }: Props) {
  const issue = useAction(corrections.issue, [corrections.list, corrections.get])
  const { creditNotes, complements, reissued } = review.summary
  const documents = creditNotes + complements + reissued
  return (
    <Button
      loading={issue.isPending}
      onClick={() =>
        void issue
          .run({ params: { id: review.id }, body: { seal } })
          .then(({ issued }) =>
            toast({ title: `${formatCount(issued, 'document émis', 'documents émis')}`, variant: 'success' }),
          )
          .catch(showFailure)
      }
    >
      {documents > 0 ? `Émettre ${formatCount(documents, 'document')}` : 'Prendre acte'}
    </Button>
  )
}

const CorrectionDecisionButtons = ({ review, seal }: Props) => (
  <div className="flex flex-wrap items-start gap-3">
    <Can call={corrections.issue}>
      <IssueCorrection review={review} seal={seal} />
    </Can>
    <Can call={corrections.leave}>
      <DismissCorrection review={review} />
    </Can>
  </div>
)

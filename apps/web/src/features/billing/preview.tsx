import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import type { DraftDocument, MonthPreview } from '@voisol/contract/billing-documents'
import { useState } from 'react'
import { formatBilledKwh, formatSignedMoney, sumMonthDifference } from '../../lib/billing-labels.ts'
import { formatCount, formatMoney, formatNumber } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { MonthDifferenceSection } from './difference.tsx'
import { OpenedDocument } from './document.tsx'
import { ControlTotals } from './sums.tsx'

type DocumentRow = DraftDocument & { id: string }
export type OperationMonth = { operationId: string; month: string }
export type MonthOptions = { acceptLastIndex?: 'true' }

/** Enough to look at; the step after it stays in reach. */
const VISIBLE_DOCUMENTS = 20

const softTextClass = 'block text-[0.8125rem] text-ink-soft'
const columns: Column<DocumentRow>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller, kind, apart }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{buyer.name}</span>
        <span className={softTextClass}>
          {seller.name}
          {apart && ', frais hors TVA'}
        </span>
        {kind === 'statement' && (
          <span className="mt-1 block">
            <Badge>Relevé</Badge>
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'Énergie',
    align: 'end',
    card: 'primary',
    cell: ({ wh, lines }) => (
      <span className="whitespace-nowrap">
        {wh > 0 ? formatBilledKwh(wh) : 'Frais seuls'}
        <span className={softTextClass}>{formatCount(lines, 'ligne')}</span>
      </span>
    ),
  },
  { header: 'HT', align: 'end', card: 'none', cell: ({ net }) => formatMoney(net) },
  { header: 'TVA', align: 'end', card: 'none', cell: ({ tax }) => formatMoney(tax) },
  {
    header: 'TTC',
    align: 'end',
    card: 'primary',
    cell: ({ gross }) => <span className="font-medium">{formatMoney(gross)}</span>,
  },
  {
    header: 'Écart HT',
    align: 'end',
    card: 'primary',
    cell: ({ difference }) => (difference ? formatSignedMoney(sumMonthDifference(difference)) : '–'),
  },
]

type MonthPreviewProps = { params: OperationMonth; choices: MonthOptions; closed: boolean }

/** Every document of the month, as it would be issued or was closed. */
export function MonthPreviewSection({ params, choices, closed }: MonthPreviewProps) {
  const { data, error, refetch } = useQuery({
    ...query(billing.preview, { params, query: choices }),
    staleTime: closed ? Number.POSITIVE_INFINITY : 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  const { totals } = data
  return (
    <section aria-label="Prévisualiser" className="grid gap-5 [&>*]:min-w-0">
      <Card
        title={closed ? 'Documents du mois' : 'Prévisualiser'}
        description={`${formatCount(totals.documents, 'document')}, ${formatBilledKwh(totals.wh)}, ${formatMoney(totals.net)} HT, ${formatMoney(totals.tax)} de TVA, ${formatMoney(totals.gross)} TTC.`}
      >
        <div className="grid gap-6 xl:grid-cols-2 [&>*]:min-w-0">
          <MonthDifferenceSection month={params.month} preview={data} />
          <ControlTotals sums={data.sums} />
        </div>
      </Card>
      <DocumentTable preview={data} params={params} choices={choices} />
    </section>
  )
}

function DocumentTable({
  preview,
  params,
  choices,
}: {
  preview: MonthPreview
  params: OperationMonth
  choices: MonthOptions
}) {
  const rows = preview.documents.map((document): DocumentRow => {
    const { seller, buyer, apart } = document
    return { ...document, id: `${seller.id} ${buyer.id} ${apart}` }
  })
  const [whole, setWhole] = useState(false)
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <Table
        label="Documents du mois"
        rows={whole ? rows : rows.slice(0, VISIBLE_DOCUMENTS)}
        columns={columns}
        detail={{
          label: ({ buyer, seller }) => `Ouvrir le document de ${buyer.name}, vendu par ${seller.name}`,
          content: (row) => <OpenedDocument params={params} choices={choices} document={row} />,
        }}
      />
      {!whole && rows.length > VISIBLE_DOCUMENTS && (
        <p>
          <Button variant="secondary" onClick={() => setWhole(true)}>
            Afficher les {formatNumber(rows.length)} documents
          </Button>
        </p>
      )}
    </div>
  )
}

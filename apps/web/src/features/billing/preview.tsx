import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import type { DraftDocument, MonthPreview } from '@voisol/contract/billing-documents'
import { useState } from 'react'
import { billedKwh, differenceTotal, signedMoney } from '../../lib/billing-labels.ts'
import { money, number, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DifferenceWords } from './difference.tsx'
import { OpenedDocument } from './document.tsx'
import { Sums } from './sums.tsx'

type Row = DraftDocument & { id: string }
export type Place = { operationId: string; month: string }
export type Choices = { acceptLastIndex?: 'true' }

/** Enough to look at; the step after it stays in reach. */
const FIRST = 20

const soft = 'block text-[0.8125rem] text-ink-soft'
const columns: Column<Row>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller, kind, apart }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{buyer.name}</span>
        <span className={soft}>
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
        {wh > 0 ? billedKwh(wh) : 'Frais seuls'}
        <span className={soft}>{plural(lines, 'ligne')}</span>
      </span>
    ),
  },
  { header: 'HT', align: 'end', card: 'none', cell: ({ net }) => money(net) },
  { header: 'TVA', align: 'end', card: 'none', cell: ({ tax }) => money(tax) },
  {
    header: 'TTC',
    align: 'end',
    card: 'primary',
    cell: ({ gross }) => <span className="font-medium">{money(gross)}</span>,
  },
  {
    header: 'Écart HT',
    align: 'end',
    card: 'primary',
    cell: ({ difference }) => (difference ? signedMoney(differenceTotal(difference)) : '–'),
  },
]

type PreviewProps = { params: Place; choices: Choices; closed: boolean }

/** Every document of the month, as it would be issued or was closed. */
export function Preview({ params, choices, closed }: PreviewProps) {
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
        description={`${plural(totals.documents, 'document')}, ${billedKwh(totals.wh)}, ${money(totals.net)} HT, ${money(totals.tax)} de TVA, ${money(totals.gross)} TTC.`}
      >
        <div className="grid gap-6 xl:grid-cols-2 [&>*]:min-w-0">
          <DifferenceWords month={params.month} preview={data} />
          <Sums sums={data.sums} />
        </div>
      </Card>
      <Documents preview={data} params={params} choices={choices} />
    </section>
  )
}

function Documents({ preview, params, choices }: { preview: MonthPreview; params: Place; choices: Choices }) {
  const rows = preview.documents.map((document): Row => {
    const { seller, buyer, apart } = document
    return { ...document, id: `${seller.id} ${buyer.id} ${apart}` }
  })
  const [whole, setWhole] = useState(false)
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <Table
        label="Documents du mois"
        rows={whole ? rows : rows.slice(0, FIRST)}
        columns={columns}
        detail={{
          label: ({ buyer, seller }) => `Ouvrir le document de ${buyer.name}, vendu par ${seller.name}`,
          content: (row) => <OpenedDocument params={params} choices={choices} document={row} />,
        }}
      />
      {!whole && rows.length > FIRST && (
        <p>
          <Button variant="secondary" onClick={() => setWhole(true)}>
            Afficher les {number(rows.length)} documents
          </Button>
        </p>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { billing, type MonthCheck } from '@voisol/contract/billing'
import type { DraftDocument, IssuedAmount, MonthPreview } from '@voisol/contract/billing-documents'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatBilledKwh, formatSignedMoney } from '../../../lib/billing-labels.ts'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import type { OperationMonth } from './month-preview.tsx'

const columns: Column<ComparedDocument>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller, apart }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{buyer}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {seller}
          {apart && ', frais hors TVA'}
        </span>
      </span>
    ),
  },
  {
    header: 'Émis, corrections comprises',
    align: 'end',
    card: 'primary',
    cell: ({ before }) => (before ? formatMoney(before.gross) : 'Aucun document'),
  },
  {
    header: 'Répété aujourd’hui',
    align: 'end',
    card: 'primary',
    cell: ({ now }) => (now ? formatMoney(now.gross) : 'Aucun document'),
  },
  {
    header: 'Écart TTC',
    align: 'end',
    card: 'primary',
    cell: ({ gross, wh }) => (
      <span className="block py-1">
        <span className="font-medium">{formatSignedMoney(gross)}</span>
        {wh !== 0 && (
          <span className="block text-[0.8125rem] whitespace-nowrap text-ink-soft">
            {wh > 0 && '+'}
            {formatBilledKwh(wh).replace('-', '−')}
          </span>
        )}
      </span>
    ),
  },
]

function DryRunComparison({ standing, preview }: { standing: IssuedAmount[]; preview: MonthPreview }) {
  const { rows, before, now, same } = compareDocuments(standing, preview.documents)
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <p className="text-body">
        {rows.length === 0 ? (
          <>
            La même chose, au centime&nbsp;: {formatMoney(now)} TTC en {formatCount(same, 'document')}.
          </>
        ) : (
          <>
            {formatMoney(before)} TTC émis, {formatMoney(now)} répétés&nbsp;: {formatSignedMoney(now - before)}.{' '}
            {formatCount(rows.length, 'document diffère', 'documents diffèrent')},{' '}
            {formatCount(same, 'est identique', 'sont identiques')}. Ce qui est dû à de nouvelles données se corrige par
            une régularisation.
          </>
        )}
      </p>
      {rows.length > 0 && <Table label="Documents qui diffèrent" rows={rows} columns={columns} />}
    </div>
  )
}

/** A month that was never closed: what its close would give today, and in spite of what. */
function DryRunSummary({ check, preview }: { check: MonthCheck; preview: MonthPreview }) {
  const reserves = check.items.filter(({ level, advice }) => level === 'warning' && !advice)
  const blocks = check.items.filter(({ level }) => level === 'blocking')
  const gross = preview.documents.reduce((sum, document) => sum + document.gross, 0)
  const wh = preview.documents.reduce((sum, document) => sum + document.wh, 0)
  return (
    <div className="grid gap-2 text-body">
      <p>
        {blocks.length > 0 ? 'Une fois réglé ce qui le retient' : 'Clos aujourd’hui'}, ce mois donnerait{' '}
        {formatCount(preview.documents.length, 'document')}&nbsp;: {formatBilledKwh(wh)} et {formatMoney(gross)} TTC.
      </p>
      {blocks.length > 0 && <p>Ce qui le retient&nbsp;: {blocks.map(({ sentence }) => sentence).join(' ')}</p>}
      {reserves.length > 0 && (
        <p className="text-ink-soft">
          Il faudrait dire pourquoi on le clôt malgré&nbsp;: {reserves.map(({ sentence }) => sentence).join(' ')}
        </p>
      )}
    </div>
  )
}

function DryRunResult({ params }: { params: OperationMonth }) {
  const { data, error, refetch } = useQuery({
    ...query(billing.rehearsal, { params, query: {} }),
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  const { check, preview, standing } = data
  if (!preview)
    return (
      <p className="text-body">
        Avec les données d’aujourd’hui, ce mois ne pourrait pas être clos&nbsp;:{' '}
        {check.items
          .filter(({ level }) => level === 'blocking')
          .map(({ sentence }) => sentence)
          .join(' ')}
      </p>
    )
  if (!standing) return <DryRunSummary check={check} preview={preview} />
  return <DryRunComparison standing={standing} preview={preview} />
}

/** The whole of a close once more, with today's data, beside what was issued; nothing is written. */
export function CloseDryRun({ params, closed }: { params: OperationMonth; closed: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Répétition"
      description={
        closed
          ? 'Refaire toute la clôture avec les données d’aujourd’hui, et comparer. Rien n’est écrit.'
          : 'Faire toute la clôture avec les données d’aujourd’hui, pour voir. Rien n’est écrit.'
      }
      actions={
        <Button variant="secondary" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Refermer' : 'Répéter cette clôture'}
        </Button>
      }
    >
      {open && <DryRunResult params={params} />}
    </Card>
  )
}

type Amount = { wh: number; gross: number }
type ComparedDocument = {
  id: string
  buyer: string
  seller: string
  apart: boolean
  before: Amount | null
  now: Amount | null
  gross: number
  wh: number
}
type DocumentAmount = Pick<IssuedAmount, 'seller' | 'buyer' | 'apart' | 'wh' | 'gross'>

const getDocumentKey = ({ seller, buyer, apart }: DocumentAmount) => `${seller.id} ${buyer.id} ${apart}`
const sumGross = (all: readonly Amount[]) => all.reduce((sum, { gross }) => sum + gross, 0)

/** By document what stands and what would be, those that differ alone, the largest difference first. */
export function compareDocuments(standing: readonly IssuedAmount[], documents: readonly DraftDocument[]) {
  const [issued, recomputed] = [new Map<string, DocumentAmount>(), new Map<string, DocumentAmount>()]
  for (const one of standing) issued.set(getDocumentKey(one), one)
  for (const one of documents) recomputed.set(getDocumentKey(one), one)
  const names = [...new Set([...issued.keys(), ...recomputed.keys()])]
  const all = names.flatMap((id): ComparedDocument[] => {
    const [before, now] = [issued.get(id) ?? null, recomputed.get(id) ?? null]
    const known = now ?? before
    if (!known) return []
    const [gross, wh] = [(now?.gross ?? 0) - (before?.gross ?? 0), (now?.wh ?? 0) - (before?.wh ?? 0)]
    return [{ id, buyer: known.buyer.name, seller: known.seller.name, apart: known.apart, before, now, gross, wh }]
  })
  const rows = all.filter(({ gross, wh, before, now }) => gross !== 0 || wh !== 0 || !before || !now)
  return {
    rows: rows.sort((a, b) => Math.abs(b.gross) - Math.abs(a.gross) || a.buyer.localeCompare(b.buyer, 'fr')),
    same: all.length - rows.length,
    before: sumGross(standing),
    now: sumGross(documents),
  }
}

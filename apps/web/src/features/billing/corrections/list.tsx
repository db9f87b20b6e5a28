import { CORRECTION_CAUSE_LABELS, corrections, type Review } from '@voisol/contract/corrections'
import { withDe } from '@voisol/contract/elision'
import { Suspense } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import type { Column } from '../../../components/table.tsx'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'

const REVIEW_STATE_BADGES: Record<Review['state'], { label: string; tone: Tone }> = {
  open: { label: 'À examiner', tone: 'warning' },
  settled: { label: 'Régularisée', tone: 'success' },
  left: { label: 'Laissée sans suite', tone: 'neutral' },
}

/** « 3 avoirs, 2 compléments, 0,12 € à rendre, trop peu pour un document ». */
function describeDocuments({ creditNotes, complements, reissued, held }: Review['summary']): string {
  const parts = [
    creditNotes > 0 && formatCount(creditNotes, 'avoir'),
    complements > 0 && formatCount(complements, 'facture complémentaire', 'factures complémentaires'),
    reissued > 0 && formatCount(reissued, 'relevé'),
    held.buyers > 0 &&
      `${formatMoney(Math.abs(held.gross))} ${held.gross < 0 ? 'à rendre' : 'à facturer'}, trop peu pour un document`,
  ]
  return parts.filter(Boolean).join(', ') || 'Aucun document'
}

const columns: Column<Review>[] = [
  {
    header: 'Mois',
    card: 'title',
    cell: ({ month, operation }) => (
      <span className="block min-w-40">
        <span className="block font-medium first-letter:uppercase">{formatMonthYear(month)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{operation}</span>
      </span>
    ),
  },
  {
    header: 'Cause',
    card: 'primary',
    cell: ({ causes }) => (
      <span className="block max-w-72">{causes.map((cause) => CORRECTION_CAUSE_LABELS[cause]).join('. ')}</span>
    ),
  },
  {
    header: 'Documents',
    card: 'primary',
    cell: ({ summary }) => <span className="block max-w-64">{describeDocuments(summary)}</span>,
  },
  { header: 'Effet TTC', card: 'primary', align: 'end', cell: ({ summary }) => formatMoney(summary.delta.gross) },
  { header: 'Constatée', cell: ({ raisedAt }) => formatDate(raisedAt) },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state }) => <Badge tone={REVIEW_STATE_BADGES[state].tone}>{REVIEW_STATE_BADGES[state].label}</Badge>,
  },
]

/** Issued months under which something changed, and what became of it. */
export default function CorrectionList() {
  const list = useList(corrections.list)
  return (
    <ListScreen
      list={list}
      label="Régularisations"
      columns={columns}
      filters={
        <FilterChips
          label="État"
          options={Object.entries(REVIEW_STATE_BADGES).map(([value, { label }]) => ({ value, label }))}
          value={list.filters.state}
          onChange={(state) => list.setFilters({ state })}
        />
      }
      rowActions={(review) => <CorrectionDialog review={review} />}
      empty={
        <EmptyState
          title="Aucune régularisation"
          why="Quand un relevé, une clé, une participation ou un tarif change sous un mois déjà facturé, l’écart est calculé et proposé ici, au centime près."
          because="all-well"
        />
      }
    />
  )
}

const CorrectionChanges = lazy(() => import('./pending-corrections.tsx'))

/** What a regularisation changes, buyer by buyer, before anything is issued. */
const CorrectionDialog = ({ review }: { review: Review }) => (
  <Dialog
    title={`Régularisation ${withDe(formatMonthYear(review.month))}`}
    description={review.operation}
    width="wide"
    trigger={
      <Button variant="secondary" size="small">
        {review.state === 'open' ? 'Examiner' : 'Voir'}
      </Button>
    }
  >
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <CorrectionChanges id={review.id} />
    </Suspense>
  </Dialog>
)

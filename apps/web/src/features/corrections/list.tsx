import { CAUSE_WORDS, corrections, type Review } from '@voisol/contract/corrections'
import { date, money, plural } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { monthLabel } from '../../ui/period/label.ts'
import type { Column } from '../../ui/table.tsx'
import { Proposal } from './proposal.tsx'

const STATES: Record<Review['state'], { label: string; tone: Tone }> = {
  open: { label: 'À examiner', tone: 'warning' },
  settled: { label: 'Régularisée', tone: 'success' },
  left: { label: 'Laissée sans suite', tone: 'neutral' },
}

/** « 3 avoirs, 2 compléments, 0,12 € à rendre, trop peu pour un document ». */
function madeOf({ creditNotes, complements, reissued, held }: Review['summary']): string {
  const parts = [
    creditNotes > 0 && plural(creditNotes, 'avoir'),
    complements > 0 && plural(complements, 'facture complémentaire', 'factures complémentaires'),
    reissued > 0 && plural(reissued, 'relevé'),
    held.buyers > 0 &&
      `${money(Math.abs(held.gross))} ${held.gross < 0 ? 'à rendre' : 'à facturer'}, trop peu pour un document`,
  ]
  return parts.filter(Boolean).join(', ') || 'Aucun document'
}

const columns: Column<Review>[] = [
  {
    header: 'Mois',
    card: 'title',
    cell: ({ month, operation }) => (
      <span className="block min-w-40">
        <span className="block font-medium first-letter:uppercase">{monthLabel(month)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{operation}</span>
      </span>
    ),
  },
  {
    header: 'Cause',
    card: 'primary',
    cell: ({ causes }) => (
      <span className="block max-w-72">{causes.map((cause) => CAUSE_WORDS[cause]).join('. ')}</span>
    ),
  },
  {
    header: 'Documents',
    card: 'primary',
    cell: ({ summary }) => <span className="block max-w-64">{madeOf(summary)}</span>,
  },
  { header: 'Effet TTC', card: 'primary', align: 'end', cell: ({ summary }) => money(summary.delta.gross) },
  { header: 'Constatée', cell: ({ raisedAt }) => date(raisedAt) },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
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
          options={Object.entries(STATES).map(([value, { label }]) => ({ value, label }))}
          value={list.filters.state}
          onChange={(state) => list.setFilters({ state })}
        />
      }
      rowActions={(review) => <Proposal review={review} />}
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

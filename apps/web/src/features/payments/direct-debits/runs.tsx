import { useQuery } from '@tanstack/react-query'
import { type DebitRun, debits } from '@voisol/contract/debits'
import { Suspense, useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const AnnounceDebitsDialog = lazy(() => import('./announce.tsx'))
const DebitRunDialog = lazy(() => import('./run.tsx'))

const DEBIT_RUN_STATE_BADGES: Record<DebitRun['state'], { label: string; tone: Tone }> = {
  announced: { label: 'Annoncé', tone: 'info' },
  filed: { label: 'Fichier prêt', tone: 'warning' },
  sent: { label: 'À la banque', tone: 'success' },
  cancelled: { label: 'Annulé', tone: 'neutral' },
}

const columns: Column<DebitRun>[] = [
  {
    header: 'Jour du débit',
    card: 'title',
    cell: ({ collectionOn, creditor, account }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{formatDate(collectionOn)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {creditor}, {account}
        </span>
      </span>
    ),
  },
  { header: 'Prélèvements', align: 'end', cell: ({ debits: count }) => formatCount(count, 'débit') },
  { header: 'Total', card: 'primary', align: 'end', cell: ({ total }) => <strong>{formatMoney(total)}</strong> },
  { header: 'Encaissé', card: 'primary', align: 'end', cell: ({ collected }) => formatMoney(collected) },
  {
    header: 'Rejeté',
    card: 'primary',
    align: 'end',
    cell: ({ returned }) =>
      returned > 0 ? <span className="text-danger">{formatMoney(returned)}</span> : formatMoney(0),
  },
  {
    header: 'À la banque avant le',
    cell: ({ submitBy, state }) =>
      state === 'announced' || state === 'filed' ? formatDate(submitBy) : <span className="text-ink-muted">—</span>,
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state }) => <Badge tone={DEBIT_RUN_STATE_BADGES[state].tone}>{DEBIT_RUN_STATE_BADGES[state].label}</Badge>,
  },
]

/** Debits by account and day: announced, filed, at the bank, collected or given back. */
export default function DebitRuns() {
  const { data, error, refetch } = useQuery(query(debits.list, {}))
  const [open, setOpen] = useState<string | 'new' | null>(null)
  const can = useCan()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <section aria-labelledby="debit-runs" className="grid gap-3 [&>*]:min-w-0">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id="debit-runs" className="text-base font-semibold tracking-[-0.01em]">
            Prélèvements
          </h2>
          <p className="prose-width text-body text-ink-soft">
            Chacun est annoncé avant d’être débité&#160;; l’argent est encaissé quand le relevé de la banque le dit.
          </p>
        </div>
        {can(debits.announce) && <Button onClick={() => setOpen('new')}>Préparer un prélèvement</Button>}
      </header>
      {!data ? (
        <TableSkeleton label="Prélèvements" />
      ) : data.items.length > 0 ? (
        <Table
          label="Prélèvements"
          rows={data.items}
          columns={columns}
          rowActions={(run) => (
            <Button
              variant="secondary"
              size="small"
              aria-label={`Ouvrir le prélèvement du ${formatDate(run.collectionOn)}`}
              onClick={() => setOpen(run.id)}
            >
              Ouvrir
            </Button>
          )}
        />
      ) : (
        <EmptyState
          title="Aucun prélèvement"
          why="Les factures ouvertes de ceux qui ont signé un mandat se prélèvent en une fois, le jour que vous choisissez."
          action={
            can(debits.announce) && <Button onClick={() => setOpen('new')}>Préparer un premier prélèvement</Button>
          }
        />
      )}
      <Suspense fallback={null}>
        {open === 'new' && <AnnounceDebitsDialog onClose={() => setOpen(null)} onDone={setOpen} />}
        {open !== null && open !== 'new' && <DebitRunDialog key={open} id={open} onClose={() => setOpen(null)} />}
      </Suspense>
    </section>
  )
}

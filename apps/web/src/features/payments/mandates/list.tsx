import { useQuery } from '@tanstack/react-query'
import { MANDATE_STATE_LABELS, type Mandate, mandates } from '@voisol/contract/mandates'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { formatDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const AddMandateDialog = lazy(() => import('./add-mandate.tsx'))
const NotedMandates = lazy(() => import('./references-without-mandate.tsx'))
const ImportMandatesDialog = lazy(() => import('./import-mandates.tsx'))
const SignOnScreenDialog = lazy(() => import('./sign-on-screen.tsx'))
const MandateDialog = lazy(() => import('./mandate.tsx'))

const STATE_TONES: Record<Mandate['state'], Tone> = {
  active: 'success',
  stopped: 'danger',
  revoked: 'neutral',
  lapsed: 'warning',
  used: 'neutral',
}
const METHOD_LABELS: Record<Mandate['method'], string> = { screen: 'À l’écran', paper: 'Sur papier', import: 'Repris' }

const columns: Column<Mandate>[] = [
  {
    header: 'Débiteur',
    card: 'title',
    cell: ({ participant, creditor }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{participant}</span>
        <span className="block text-[0.8125rem] text-ink-soft">pour {creditor}</span>
      </span>
    ),
  },
  { header: 'RUM', card: 'primary', cell: ({ rum }) => <span className="tabular whitespace-nowrap">{rum}</span> },
  { header: 'Compte', card: 'primary', cell: ({ ibanEnd }) => <span className="tabular">•••• {ibanEnd}</span> },
  {
    header: 'Signé',
    cell: ({ signedOn, method }) => `${formatDate(signedOn)}, ${METHOD_LABELS[method].toLowerCase()}`,
  },
  {
    header: 'Dernier débit',
    cell: ({ lastDebitOn }) => (lastDebitOn ? formatDate(lastDebitOn) : <span className="text-ink-muted">Aucun</span>),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state, reason }) => (
      <span className="grid justify-items-start gap-0.5">
        <Badge tone={STATE_TONES[state]}>{MANDATE_STATE_LABELS[state]}</Badge>
        {reason && <span className="max-w-56 text-[0.8125rem] text-ink-soft">{reason}</span>}
      </span>
    ),
  },
]
const STATE_OPTIONS = Object.entries(MANDATE_STATE_LABELS).map(([value, label]) => ({ value, label }))

/** Who gave which seller the word to debit which account, and whether it still holds. */
export default function MandateList() {
  const { data, error, refetch } = useQuery(query(mandates.list, { query: {} }))
  const [state, setState] = useState<string | undefined>('active')
  const [open, setOpen] = useState<'add' | 'import' | 'sign' | Mandate | null>(null)
  const can = useCan()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  const rows = data?.items.filter((one) => state === undefined || one.state === state) ?? []
  const close = () => setOpen(null)
  return (
    <section aria-labelledby="mandates" className="grid gap-3 [&>*]:min-w-0">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id="mandates" className="text-base font-semibold tracking-[-0.01em]">
            Mandats
          </h2>
          <p className="prose-width text-body text-ink-soft">
            Un mandat est donné au vendeur à qui l’argent appartient. Il devient caduc après 36 mois sans prélèvement.
          </p>
        </div>
        {can(mandates.add) && (
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setOpen('import')}>
              Reprendre un tableau
            </Button>
            <Button variant="secondary" onClick={() => setOpen('sign')}>
              Faire signer à l’écran
            </Button>
            <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen('add')}>
              Ajouter un mandat
            </Button>
          </div>
        )}
      </header>
      {data && data.noted > 0 && can(mandates.takeOver) && <NotedMandates choices={data} />}
      <FilterChips label="État" options={STATE_OPTIONS} value={state} onChange={setState} />
      {!data ? (
        <TableSkeleton label="Mandats de prélèvement" />
      ) : rows.length > 0 ? (
        <Table
          label="Mandats de prélèvement"
          rows={rows}
          columns={columns}
          rowActions={(mandate) => (
            <Button
              variant="secondary"
              size="small"
              aria-label={`Ouvrir le mandat ${mandate.rum}`}
              onClick={() => setOpen(mandate)}
            >
              Ouvrir
            </Button>
          )}
        />
      ) : (
        <EmptyState
          title="Aucun mandat"
          why="Un participant signe le sien dans son espace ou ici, à l’écran ; ou vous enregistrez celui qu’il a signé sur papier."
          action={can(mandates.add) && <Button onClick={() => setOpen('add')}>Ajouter un premier mandat</Button>}
        />
      )}
      <Suspense fallback={null}>
        {open === 'add' && data && <AddMandateDialog choices={data} onClose={close} />}
        {open === 'sign' && data && <SignOnScreenDialog choices={data} onClose={close} />}
        {open === 'import' && data && <ImportMandatesDialog creditors={data.creditors} onClose={close} />}
        {open !== null && typeof open === 'object' && <MandateDialog mandate={open} onClose={close} />}
      </Suspense>
    </section>
  )
}

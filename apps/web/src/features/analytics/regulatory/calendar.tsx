import { useQuery } from '@tanstack/react-query'
import { type RegulatoryObligation, regulatory } from '@voisol/contract/regulatory'
import { useSearchParams } from 'react-router'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Select } from '../../../components/input.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const DUTY_STATE_LABELS: Record<RegulatoryObligation['state'], { label: string; tone: Tone }> = {
  late: { label: 'En retard', tone: 'danger' },
  soon: { label: 'Bientôt', tone: 'warning' },
  later: { label: 'À venir', tone: 'neutral' },
  done: { label: 'Fait', tone: 'success' },
}
type Row = RegulatoryObligation & { id: string }

const columns: Column<Row>[] = [
  { header: 'Échéance', card: 'primary', cell: ({ dueOn }) => <span className="tabular">{formatDate(dueOn)}</span> },
  {
    header: 'Obligation',
    card: 'title',
    cell: ({ label, detail }) => (
      <span className="block min-w-56">
        <span className="block font-medium">{label}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{detail}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state, doneOn, by, note }) => (
      <span className="block">
        <Badge tone={DUTY_STATE_LABELS[state].tone}>{DUTY_STATE_LABELS[state].label}</Badge>
        {doneOn && (
          <span className="mt-1 block min-w-28 text-[0.8125rem] text-ink-soft">
            {[`le ${formatDate(doneOn)}`, by, note].filter(Boolean).join(', ')}
          </span>
        )}
      </span>
    ),
  },
]

const YEAR_OFFSETS = [1, 0, -1, -2]

/** What is due in a year, done or not: computed of what takes part, sells and ends. */
export default function DutyCalendar() {
  const [search, setSearch] = useSearchParams()
  const currentYear = Number(getTodayInParis().slice(0, 4))
  const year = Number(search.get('annee')) || currentYear
  const { data, error, refetch } = useQuery(query(regulatory.duties, { query: { year } }))
  const lateCount = data?.items.filter(({ state }) => state === 'late').length ?? 0
  return (
    <section className="grid gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Select
          aria-label="Année"
          className="sm:w-32"
          value={`${year}`}
          options={YEAR_OFFSETS.map((by) => ({ value: `${currentYear + by}`, label: `${currentYear + by}` }))}
          onChange={({ target }) => setSearch({ tab: 'calendrier', annee: target.value })}
        />
        {lateCount > 0 && (
          <Badge tone="danger">{formatCount(lateCount, 'obligation en retard', 'obligations en retard')}</Badge>
        )}
      </div>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton label="Obligations" />
      ) : data.items.length === 0 ? (
        <EmptyState
          title="Rien n’est dû cette année"
          why="Les entrées, sorties et changements de clé, les coefficients, la TVA, les consentements et les bilans paraissent ici avec leur échéance."
          because="all-well"
        />
      ) : (
        <Table
          label="Obligations"
          rows={data.items.map((duty) => ({ ...duty, id: duty.key }))}
          columns={columns}
          rowActions={(duty) => <DutyActions duty={duty} />}
        />
      )}
    </section>
  )
}

type Props = { duty: RegulatoryObligation }
const showFailure = (error: unknown) =>
  void toast({ title: 'Non enregistré', description: explainError(error), variant: 'destructive' })

function MarkDoneButton({ duty: { key, label } }: Props) {
  const mark = useAction(regulatory.mark, [regulatory.duties])
  const markDone = () => void mark.run({ body: { key, doneOn: getTodayInParis(), note: '' } }).catch(showFailure)
  return (
    <Button
      variant="secondary"
      size="small"
      loading={mark.isPending}
      aria-label={`${label}, c’est fait`}
      onClick={markDone}
    >
      C’est fait
    </Button>
  )
}

function ReopenButton({ duty: { key, label } }: Props) {
  const unmark = useAction(regulatory.unmark, [regulatory.duties])
  return (
    <Button
      variant="quiet"
      size="small"
      loading={unmark.isPending}
      aria-label={`Rouvrir, ${label}`}
      onClick={() => void unmark.run({ params: { key } }).catch(showFailure)}
    >
      Rouvrir
    </Button>
  )
}

/** What settles a duty: the paper it asks for, or a person's word; what a sending closed stays closed. */
function DutyActions({ duty }: Props) {
  const can = useCan()
  const { state, make, by } = duty
  return (
    <>
      {make && state !== 'done' && (
        <ButtonLink variant="quiet" size="small" to={`/regulatory-exports?tab=exports&operation=${make.operationId}`}>
          Établir la pièce
        </ButtonLink>
      )}
      {can(regulatory.mark) && state !== 'done' && <MarkDoneButton duty={duty} />}
      {can(regulatory.unmark) && state === 'done' && by && <ReopenButton duty={duty} />}
    </>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { dataExports, type ExportPlan } from '@voisol/contract/exports'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import FileDown from 'lucide-react/icons/file-down'
import { Suspense, useEffect, useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ExportActions, exportColumns } from './export-list.tsx'
import {
  EXPORT_PERIOD_LABELS,
  EXPORT_SHAPE_OPTIONS,
  type ExportDataSet,
  type ExportDataSets,
  type ExportDraft,
  getExportShapeLabel,
  getScheduleLabel,
  isExportInProgress,
  useExportDraft,
} from './labels.ts'
import { ExportPreview } from './preview.tsx'

const POLL_MS = 1500

/** Looked at again while something is under way. */
function usePolling(active: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: [dataExports.list.path] }), POLL_MS)
    return () => clearInterval(timer)
  }, [active, client])
}

function NewExportSection() {
  const { data, error, refetch } = useQuery(query(dataExports.sets, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <NewExport {...data} />
}

/** Any data that one may see, as a file, and what became of those one asked for. */
export default function ExportsPage() {
  const list = useList(dataExports.list)
  usePolling(list.items.some(isExportInProgress))
  return (
    <>
      <PageHeader
        title="Exports de données"
        description="Courbes, répartitions, membres, factures, journaux&nbsp;: ce que vous pouvez consulter, dans le format de votre outil."
      />
      <div className="grid gap-8 [&>*]:min-w-0">
        <NewExportSection />
        <ExportPlans />
        <section className="grid gap-3">
          <h2 className="text-base font-semibold tracking-[-0.01em]">Mes exports</h2>
          <ListScreen
            list={list}
            label="Mes exports"
            columns={exportColumns}
            rowActions={(one) => <ExportActions one={one} />}
            empty={
              <EmptyState
                title="Aucun export"
                why="Choisissez ci-dessus ce que vous voulez emporter. Un fichier prêt reste sept jours ici&nbsp;; ensuite on le refait d’un geste, avec les données du moment."
                because="chosen-here"
              />
            }
          />
        </section>
      </div>
    </>
  )
}

const softTextClass = 'block text-[0.8125rem] text-ink-soft'

const columns: Column<ExportPlan>[] = [
  {
    header: 'Envoi',
    card: 'title',
    cell: ({ name, label, format, dialect }) => (
      <span className="block min-w-40">
        <span className="font-medium break-words">{name}</span>
        <span className={softTextClass}>{`${label}, ${getExportShapeLabel({ format, dialect })}`}</span>
      </span>
    ),
  },
  {
    header: 'Jours',
    card: 'primary',
    cell: ({ dataSet, period }) =>
      DATA_SETS[dataSet].period ? EXPORT_PERIOD_LABELS[period] : 'Tel qu’au moment de l’envoi',
  },
  {
    header: 'Connexion',
    card: 'primary',
    cell: ({ connection, schedule, nextRunAt, trouble }) => (
      <span className="block min-w-40">
        {connection}
        {trouble ? (
          <span className="block text-[0.8125rem] text-danger">{`Arrêté\u00a0: ${trouble}`}</span>
        ) : (
          <span className={softTextClass}>
            {nextRunAt ? `Prochain passage le ${formatDateTime(nextRunAt)}` : getScheduleLabel(schedule)}
          </span>
        )}
      </span>
    ),
  },
]

const StopPlanButton = withAccess(dataExports.unplan, ({ plan }: { plan: ExportPlan }) => {
  const remove = useAction(dataExports.unplan, [dataExports.plans])
  return (
    <Confirm
      title={`Arrêter «\u00a0${plan.name}\u00a0»\u00a0?`}
      description="La connexion continue d’envoyer le reste. Ce qui est déjà parti reste où il est."
      action="Arrêter l’envoi"
      onConfirm={() => remove.run({ params: { id: plan.id } })}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Arrêter ${plan.name}`}>
          Arrêter
        </Button>
      }
    />
  )
})

/** What leaves by itself; nothing where nothing does. */
function ExportPlans() {
  const { data } = useQuery(query(dataExports.plans, {}))
  if (!data?.items.length) return null
  return (
    <section className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Envois réguliers</h2>
      <Table
        label="Envois réguliers"
        rows={data.items}
        columns={columns}
        rowActions={(plan) => <StopPlanButton plan={plan} />}
      />
    </section>
  )
}

const PlanDialog = lazy(() => import('./plan-dialog.tsx'))

type ExportFieldsProps = { draft: ExportDraft; change: (more: Partial<ExportDraft>) => void; set: ExportDataSet }

function DayFields({ draft, change }: ExportFieldsProps) {
  const [from, last] = [useId(), useId()]
  return (
    <>
      <FieldFrame id={from} label="Du">
        <DateInput id={from} value={draft.from} onValue={(value) => change({ from: value })} />
      </FieldFrame>
      <FieldFrame id={last} label="Au (inclus)">
        <DateInput id={last} value={draft.last} onValue={(value) => change({ last: value })} />
      </FieldFrame>
    </>
  )
}

function ExportFields({ sets, ...fields }: ExportFieldsProps & { sets: ExportDataSet[] }) {
  const { draft, change, set } = fields
  const [dataSetFieldId, formatFieldId] = [useId(), useId()]
  const filters = useAllowedExportFilters()
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <div className="sm:col-span-2">
        <FieldFrame id={dataSetFieldId} label="Jeu de données" hint={set.about}>
          <Select
            id={dataSetFieldId}
            aria-describedby={`${dataSetFieldId}-hint`}
            value={set.id}
            onChange={({ target }) => change({ dataSet: target.value })}
            options={sets.map(({ id, label }) => ({ value: id, label }))}
          />
        </FieldFrame>
      </div>
      <div className="sm:col-span-2">
        <FieldFrame
          id={formatFieldId}
          label="Format"
          hint="Chaque fichier porte son dictionnaire de colonnes et d’unités."
        >
          <Select
            id={formatFieldId}
            aria-describedby={`${formatFieldId}-hint`}
            value={draft.shape}
            onChange={({ target }) => change({ shape: target.value })}
            options={EXPORT_SHAPE_OPTIONS}
          />
        </FieldFrame>
      </div>
      {set.period && <DayFields {...fields} />}
      {set.operation && filters.operation && (
        <ExportOperationFilter value={draft.operationId} onChange={(operationId) => change({ operationId })} />
      )}
      {set.participant && filters.participant && (
        <ExportParticipantFilter value={draft.participantId} onChange={(participantId) => change({ participantId })} />
      )}
    </div>
  )
}

type ExportRequestProps = { order: ReturnType<typeof useExportDraft>['order'] }
const ExportButton = withAccess(dataExports.create, ({ order }: ExportRequestProps) => {
  const create = useAction(dataExports.create, [dataExports.list])
  const requestExport = async () => {
    if (!order) return
    try {
      await create.run({ body: order })
      toast({
        title: 'Export demandé',
        description: 'Il se prépare\u00a0: vous pouvez quitter cette page.',
        variant: 'success',
      })
    } catch (error) {
      toast({ title: 'Export refusé', description: explainError(error), variant: 'destructive' })
    }
  }
  return (
    <Button
      icon={<FileDown aria-hidden="true" />}
      disabled={!order}
      loading={create.isPending}
      onClick={() => void requestExport()}
    >
      Exporter
    </Button>
  )
})

const PlanButton = withAccess(
  dataExports.plan,
  ({ order, connections }: ExportRequestProps & Pick<ExportDataSets, 'connections'>) => {
    const [open, setOpen] = useState(false)
    if (!connections.length) return null
    return (
      <>
        <Button variant="secondary" disabled={!order} onClick={() => setOpen(true)}>
          Envoyer régulièrement
        </Button>
        <Suspense fallback={null}>
          {open && order && <PlanDialog order={order} connections={connections} onClose={() => setOpen(false)} />}
        </Suspense>
      </>
    )
  },
)

/** What to take away, seen before it is asked for. */
function NewExport({ items, connections }: ExportDataSets) {
  const { draft, change, set, order } = useExportDraft(items)
  if (!set) return null
  return (
    <Card title="Nouvel export">
      <div className="grid gap-6 [&>*]:min-w-0">
        <ExportFields sets={items} draft={draft} change={change} set={set} />
        <ExportPreview order={order} set={set} />
        <div className="flex flex-wrap justify-end gap-2">
          <PlanButton order={order} connections={connections} />
          <ExportButton order={order} />
        </div>
      </div>
    </Card>
  )
}

type Props = { value: string; onChange: (id: string) => void }
const MAX_LISTED_OPERATIONS = 100

function ExportOperationFilter({ value, onChange }: Props) {
  const id = useId()
  const { data } = useQuery(query(operations.list, { query: { size: MAX_LISTED_OPERATIONS, sort: 'name' } }))
  return (
    <FieldFrame id={id} label="Opération">
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Toutes</option>
        {data?.items.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </Select>
    </FieldFrame>
  )
}

const MAX_LISTED_PARTICIPANTS = 50
/** Found by a part of the name: an organisation may have thousands. */
function ExportParticipantFilter({ value, onChange }: Props) {
  const id = useId()
  const [q, setQ] = useState('')
  const { data } = useQuery(
    query(participants.list, { query: { size: MAX_LISTED_PARTICIPANTS, sort: 'name', ...(q && { q }) } }),
  )
  const hasMore = (data?.total ?? 0) > MAX_LISTED_PARTICIPANTS
  return (
    <div className="grid gap-2">
      <FieldFrame id={id} label="Participant">
        <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">Tous</option>
          {data?.items.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </Select>
      </FieldFrame>
      {(hasMore || q) && <SearchBox label="Rechercher un participant" value={q} onSearch={setQ} />}
    </div>
  )
}

/** A filter whose list one may not read is not offered. */
function useAllowedExportFilters() {
  const may = useCan()
  return { operation: may(operations.list), participant: may(participants.list) }
}

import { useQuery } from '@tanstack/react-query'
import { type EnedisCredential, enedis, type SeriesType } from '@voisol/contract/enedis'
import { type SyncKind, type SyncTask, sync } from '@voisol/contract/sync'
import { addDays, monthOf } from '@voisol/energy/calendar'
import CircleCheck from 'lucide-react/icons/circle-check'
import DatabaseArrowDown from 'lucide-react/icons/database-arrow-down'
import { Suspense, useMemo, useState } from 'react'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import type { CurveExplorerProps } from '../../../components/curve-explorer/curve-explorer.tsx'
import { cx } from '../../../components/cx.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FaultNote } from '../../../components/distributor-fault.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { getTodayInParis, usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import { formatDayRange, formatPeriodLabel } from '../../../components/period/period-labels.ts'
import { Tabs } from '../../../components/tabs.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { SERIES_TYPE_LABELS, SYNC_KIND_LABELS } from '../../../lib/distributor-labels.ts'
import { formatPrm as spaced } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import {
  ConnectionChoice,
  NoConnectionAvailable,
  useConnectionChoice,
  useEnedisOverview,
} from './connection-choice.tsx'
import { AgreementChoice, type AgreementSummary, useExplorerChoice } from './explorer/agreement-choice.tsx'
import {
  type AgreementMember,
  groupPointsBySide,
  isTooLong,
  listSeriesTypes,
  MAX_SERIES_DAYS,
  parseChosenTypes,
  type SeriesRequest,
  useAgreementSeries,
} from './explorer/agreement-series.ts'
import { AgreementPoints } from './explorer/points.tsx'
import { AnswersTab, QuantitiesTab } from './explorer/series-answers.tsx'

const useAgreements = (through: SeriesRequest['through'], enabled: boolean) =>
  useQuery({ ...query(enedis.agreements, { query: through }), enabled })

function AgreementList({ list, value }: { list: ReturnType<typeof useAgreements>; value: string }) {
  const { choose } = useExplorerChoice()
  const { data, error, refetch } = list
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.trace.fault) return <FaultNote fault={data.trace.fault} />
  if (data.items.length === 0)
    return <p className="text-body text-ink-soft">Le distributeur ne montre aucune convention à cette connexion.</p>
  return (
    <AgreementChoice
      items={data.items}
      value={value}
      onChange={(acc) => choose({ acc, point: undefined, types: undefined })}
    />
  )
}

type AvailableConnections = { credentials: EnedisCredential[]; sandboxUrl: string | null }

function AgreementExplorer(known: AvailableConnections) {
  const connection = useConnectionChoice(known)
  const { acc, point: requestedPointId, choose } = useExplorerChoice()
  const { through } = connection
  const list = useAgreements(through, connection.options.length > 0)
  const items = list.data?.items ?? []
  const agreement = items.find((one) => one.acc === acc) ?? items[0]
  const perimeter = usePerimeter(agreement?.acc ?? '', through)
  const points = useMemo(() => groupPointsBySide(perimeter.data?.points ?? []), [perimeter.data])
  const point = points.find(({ id }) => id === requestedPointId)
  if (connection.options.length === 0) return <NoConnectionAvailable />
  return (
    <div className="grid gap-6 xl:grid-cols-[22rem_minmax(0,1fr)] xl:items-start [&>*]:min-w-0">
      <div className="grid gap-6 md:grid-cols-2 md:items-start xl:grid-cols-1 [&>*]:min-w-0">
        <Card title="Conventions">
          <div className="grid gap-5 [&>*]:min-w-0">
            <ConnectionChoice {...connection} />
            <AgreementList list={list} value={agreement?.acc ?? ''} />
          </div>
        </Card>
        {agreement && (
          <PointsCard
            key={agreement.acc}
            perimeter={perimeter}
            points={points}
            value={point?.id ?? ''}
            onChange={(chosen) => choose({ point: chosen, types: undefined })}
          />
        )}
      </div>
      {agreement ? (
        <SeriesPanel agreement={agreement} point={point} through={through} />
      ) : (
        list.data && (
          <Card>
            <EmptyState
              title="Aucune convention à explorer"
              why="Une convention apparaît ici quand le distributeur la rattache à vos identifiants. Essayez une autre connexion."
              action={
                <ButtonLink variant="secondary" to="/enedis-api">
                  Voir les connexions à Enedis
                </ButtonLink>
              }
            />
          </Card>
        )
      )}
    </div>
  )
}

/** What the distributor knows of an agreement: its points, its series, and what it answers word for word. */
export default function V4Explorer() {
  const { data, error, refetch } = useEnedisOverview()
  return (
    <>
      <PageHeader
        title="Explorateur V4"
        description="Vos conventions chez le distributeur&nbsp;: leurs points, leurs séries, ses réponses."
      />
      {data ? (
        <AgreementExplorer {...data} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  )
}

const usePerimeter = (acc: string, through: SeriesRequest['through']) =>
  useQuery({ ...query(enedis.agreement, { params: { acc }, query: through }), enabled: acc !== '' })

type Props = {
  perimeter: ReturnType<typeof usePerimeter>
  points: AgreementMember[]
  value: string
  onChange: (id: string | undefined) => void
}

/** Who belongs to the agreement, as the distributor has it. */
function PointsCard({ perimeter, points, value, onChange }: Props) {
  const { data, error, refetch } = perimeter
  return (
    <Card title="Points" description={data && `${formatCount(points.length, 'point')} chez le distributeur`}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data?.trace.fault && <FaultNote fault={data.trace.fault} />}
      {data && !data.trace.fault && <AgreementPoints points={points} value={value} onChange={onChange} />}
    </Card>
  )
}

const PERIOD_UNITS = ['day', 'week', 'month', 'range'] as const

type SeriesResult = ReturnType<typeof useAgreementSeries>

function CurveTab({ found, title, label }: { found: SeriesResult; title: string; label: string }) {
  const { drawn, answers, waiting, error, retry } = found
  // One cause often refuses every series alike: it is said once.
  const faults = new Map(
    answers.flatMap(({ trace }) => (trace.fault ? [[trace.fault.code, trace.fault] as const] : [])),
  )
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      {error && <ErrorState error={error} onRetry={retry} />}
      {[...faults.values()].map((fault) => (
        <FaultNote key={fault.code} fault={fault} />
      ))}
      {waiting && !drawn && <Skeleton className="h-96 w-full" />}
      {drawn && <LazyCurveExplorer title={title} {...drawn} label={label} />}
      {!waiting && !drawn && !error && faults.size === 0 && (
        <EmptyState
          title="Aucune série sur cette période"
          why="Le distributeur n’a rien donné pour ces jours. Choisissez une autre période ou un autre point."
          because="chosen-here"
        />
      )}
    </div>
  )
}

type SeriesPanelProps = {
  agreement: AgreementSummary
  point: AgreementMember | undefined
  through: SeriesRequest['through']
}

const SeriesActions = ({
  agreement,
  point,
  from,
  to,
}: Omit<SeriesPanelProps, 'through'> & { from: string; to: string }) =>
  agreement.operationId === null ? (
    <p className="prose-width text-[0.8125rem] text-ink-soft">
      Aucune opération d’ici ne porte le numéro {agreement.acc}&nbsp;:{' '}
      <Link to="/acc-operations" className="text-link">
        inscrivez-le sur la sienne
      </Link>{' '}
      pour importer ses données.
    </p>
  ) : (
    <ExplorerImportDialog operationId={agreement.operationId} name={agreement.name} point={point} from={from} to={to} />
  )

type SeriesTabsProps = {
  found: SeriesResult
  request: SeriesRequest
  point: AgreementMember | undefined
  label: string
}

function SeriesTabs({ found, request, point, label }: SeriesTabsProps) {
  const { tab, choose } = useExplorerChoice()
  return (
    <Tabs
      label="Vues des séries"
      value={tab ?? 'courbe'}
      onChange={(next) => choose({ tab: next })}
      tabs={[
        {
          value: 'courbe',
          label: 'Courbe',
          content: (
            <CurveTab found={found} title={point ? 'Séries du point' : 'Séries de la convention'} label={label} />
          ),
        },
        {
          value: 'reponses',
          label: 'Tableau et JSON',
          content: found.waiting ? (
            <Skeleton className="h-96 w-full" />
          ) : (
            <AnswersTab answers={found.answers} acc={request.acc} />
          ),
        },
        {
          value: 'quantites',
          label: 'Quantités définitives',
          content: <QuantitiesTab asked={request} point={point} />,
        },
      ]}
    />
  )
}

/** The series of an agreement or of one of its points: drawn, read, and as they came. */
function SeriesPanel({ agreement, point, through }: SeriesPanelProps) {
  const today = getTodayInParis()
  // The distributor settles a month once it is over: the last one holds something.
  const [period, setPeriod] = usePeriod('month', addDays(monthOf(today), -1))
  const { types: typesParam, choose } = useExplorerChoice()
  const possible = listSeriesTypes(point)
  const types = parseChosenTypes(possible, typesParam)
  const { from } = period
  // What is not over yet cannot be asked for.
  const to = period.to < today ? period.to : today
  const isPeriodTooLong = isTooLong(from, period.to)
  const request: SeriesRequest = { acc: agreement.acc, prm: point?.prm, from, to, through }
  const seriesResult = useAgreementSeries(request, types, !isPeriodTooLong && from < to)
  const title = point ? point.label || spaced(point.prm) : agreement.name || agreement.acc
  return (
    <Card title={title} actions={<SeriesActions agreement={agreement} point={point} from={from} to={to} />}>
      <div className="grid gap-5 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod} units={PERIOD_UNITS} max={today} />
        <SeriesTypeChoice possible={possible} chosen={types} onChange={(next) => choose({ types: next.join(',') })} />
        {isPeriodTooLong ? (
          <EmptyState
            title={`Plus de ${MAX_SERIES_DAYS} jours à la fois`}
            why={`Le distributeur donne ces séries par ${MAX_SERIES_DAYS} jours au plus\u00a0: choisissez une période plus courte.`}
            because="chosen-here"
          />
        ) : (
          <SeriesTabs found={seriesResult} request={request} point={point} label={formatPeriodLabel(period)} />
        )}
      </div>
    </Card>
  )
}

const CurveExplorer = lazy(async () => ({
  default: (await import('../../../components/curve-explorer/curve-explorer.tsx')).CurveExplorer,
}))

/** What draws curves comes after the screen; another stretch of time starts with its own zoom. */
const LazyCurveExplorer = (props: CurveExplorerProps) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <CurveExplorer key={`${props.startsAt}-${props.step}-${props.series[0]?.values.length ?? 0}`} {...props} />
  </Suspense>
)

type TypeChoiceProps = { possible: SeriesType[]; chosen: SeriesType[]; onChange: (types: SeriesType[]) => void }

/** Which series are asked for, one call each; one at least stays. */
function SeriesTypeChoice({ possible, chosen, onChange }: TypeChoiceProps) {
  const toggle = (type: SeriesType) => {
    const next = possible.filter((one) => (one === type ? !chosen.includes(one) : chosen.includes(one)))
    if (next.length > 0) onChange(next)
  }
  return (
    <fieldset data-print="hide" className="flex flex-wrap gap-2">
      <legend className="sr-only">Séries affichées</legend>
      {possible.map((type) => (
        <button
          key={type}
          type="button"
          aria-pressed={chosen.includes(type)}
          onClick={() => toggle(type)}
          className={cx(
            'inline-flex min-h-8 items-center gap-1.5 rounded-full border px-3 text-[0.8125rem] font-medium transition-colors duration-150',
            chosen.includes(type)
              ? 'border-primary-ink bg-primary-soft text-primary-ink'
              : 'border-line-strong bg-card text-ink-soft hover:border-control hover:text-ink',
          )}
        >
          {SERIES_TYPE_LABELS[type]}
          <code className="text-xs font-normal">{type}</code>
        </button>
      ))}
    </fieldset>
  )
}

const OFFERED_SYNC_KINDS = ['load-curve', 'agreement-series'] as const satisfies SyncKind[]

type ImportDialogProps = {
  operationId: string
  name: string
  point: AgreementMember | undefined
  from: string
  to: string
}

const StartedTasks = ({ tasks }: { tasks: SyncTask[] }) => (
  <ul className="grid gap-3">
    {tasks.map((task) => (
      <li key={task.id} className="flex items-start gap-2 text-body">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 text-success" />
        <span>
          {SYNC_KIND_LABELS[task.kind].label}&nbsp;: la demande est partie.{' '}
          <Link to={`/enedis-api/sync-tasks/${task.id}`} className="text-link">
            Suivre la tâche
          </Link>
        </span>
      </li>
    ))}
  </ul>
)

function useExplorerImport({ operationId, point, from, to }: ImportDialogProps) {
  const start = useAction(sync.start, [sync.tasks, enedis.overview])
  const [tasks, setTasks] = useState<SyncTask[]>([])
  const [problem, setProblem] = useState('')
  const run = async (kinds: SyncKind[]) => {
    setProblem('')
    const pointIds = point?.pointId ? [point.pointId] : []
    try {
      for (const kind of kinds) {
        const task = await start.run({ body: { kind, operationId, pointIds, from, to, trigger: 'explorer' } })
        setTasks((old) => [...old, task])
      }
    } catch (error) {
      setProblem(explainError(error))
    }
  }
  return { run, tasks, problem, busy: start.isPending }
}

function ExplorerImportBody(props: ImportDialogProps) {
  const { name, point, from } = props
  // Today is not over: nothing of it can be asked for.
  const to = props.to < getTodayInParis() ? props.to : getTodayInParis()
  const { run, tasks, problem, busy } = useExplorerImport({ ...props, to })
  const [kinds, setKinds] = useState<SyncKind[]>([...OFFERED_SYNC_KINDS])
  const left = kinds.filter((kind) => !tasks.some((task) => task.kind === kind))
  return (
    <div className="grid gap-5">
      <p className="text-body">
        {point ? point.label || `Le point ${point.prm}` : 'Tous les points'} de «&nbsp;{name}&nbsp;»,{' '}
        {formatDayRange(from, addDays(to, -1))}.
      </p>
      {tasks.length === 0 && (
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-body font-medium">Ce qui est demandé</legend>
          {OFFERED_SYNC_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              label={SYNC_KIND_LABELS[kind].label}
              hint={SYNC_KIND_LABELS[kind].meaning}
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                setKinds((old) => (target.checked ? [...old, kind] : old.filter((one) => one !== kind)))
              }
            />
          ))}
        </fieldset>
      )}
      <div role="status">{tasks.length > 0 && <StartedTasks tasks={tasks} />}</div>
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
      {(tasks.length === 0 || problem) && (
        <Button
          className="justify-self-end"
          loading={busy}
          disabled={left.length === 0 || from >= to}
          onClick={() => void run(left)}
        >
          Demander ces données
        </Button>
      )}
    </div>
  )
}

/** Brings what is on screen into the product's own store, by the same road as the daily synchronisation. */
const ExplorerImportDialog = withAccess(sync.start, (props: ImportDialogProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Importer dans Voisol"
      description="Les données sont redemandées au distributeur et enregistrées&nbsp;; ce qui est déjà connu n’est pas compté deux fois."
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<DatabaseArrowDown aria-hidden="true" />}>Importer dans Voisol</Button>}
    >
      <ExplorerImportBody {...props} />
    </Dialog>
  )
})

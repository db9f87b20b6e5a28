import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { Day, Id } from '@voisol/contract/primitives'
import { type PointSyncStatus, SyncKind, type SyncTask, sync } from '@voisol/contract/sync'
import { addDays, isDay } from '@voisol/energy/calendar'
import Clock from 'lucide-react/icons/clock'
import { type ReactElement, useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { ENVIRONMENT_LABELS, SYNC_KIND_LABELS } from '../../lib/distributor-labels.ts'
import { formatMeterLine, formatPointName, toChoices } from '../../lib/energy-labels.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { formatCount } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { Button } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import { Dialog, DialogClose } from '../dialog.tsx'
import { Field, FormErrors } from '../field.tsx'
import { FilterChips, SearchBox } from '../filter-bar.tsx'
import { Select } from '../input.tsx'
import { Skeleton } from '../loading.tsx'
import { getTodayInParis } from '../period/period.ts'
import { RadioGroup } from '../radio-group.tsx'
import { buildPeriodPresets, countCalls, estimateSeconds, formatRequestDuration } from './request-plan.ts'

type DataRequestDialogProps = {
  /** The operation it is opened from; without one, the form asks. */
  operationId?: string
  /** The operation the form begins with, when it asks. */
  suggested?: string
  trigger?: ReactElement<object>
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onStarted: (task: SyncTask) => void
}

/** Asks the distributor for data: what, of which points, over which days, and what it will cost in calls. */
export const DataRequestDialog = withAccess(
  sync.start,
  ({ trigger, open, onOpenChange, onStarted, ...form }: DataRequestDialogProps) => {
    const [ownOpen, setOwnOpen] = useState(false)
    const change = (next: boolean) => {
      setOwnOpen(next)
      onOpenChange?.(next)
    }
    return (
      <Dialog
        open={open ?? ownOpen}
        onOpenChange={change}
        trigger={trigger}
        title="Demander des données"
        description="La demande se poursuit même si vous quittez la page. Ce qui est déjà là n’est pas enregistré deux fois."
      >
        <DataRequestForm
          {...form}
          onStarted={(task) => {
            change(false)
            onStarted(task)
          }}
        />
      </Dialog>
    )
  },
)

/** People name the last day; the rest of the product names the first day after it. */
const RequestSchema = z
  .object({ operationId: Id, kind: SyncKind, some: z.boolean(), pointIds: z.array(Id), from: Day, last: Day })
  .refine(({ from, last }) => from <= last, { path: ['last'], message: 'Le dernier jour vient après le premier.' })
  .refine(({ last }) => last < getTodayInParis(), {
    path: ['last'],
    message: 'Les données vont jusqu’à la veille\u00a0: choisissez hier au plus tard.',
  })
  .refine(({ some, pointIds }) => !some || pointIds.length > 0, {
    path: ['pointIds'],
    message: 'Choisissez au moins un point.',
  })

type DataRequestFormProps = { operationId?: string; suggested?: string; onStarted: (task: SyncTask) => void }

function useRequestForm({ operationId, suggested, onStarted }: DataRequestFormProps) {
  const { run } = useAction(sync.start, [sync.tasks, sync.standing])
  const [{ from, last } = { from: '', last: '' }] = buildPeriodPresets('load-curve', getTodayInParis())
  return useSchemaForm(RequestSchema, {
    defaults: {
      operationId: operationId ?? suggested ?? '',
      kind: 'load-curve',
      some: false,
      pointIds: [],
      from,
      last,
    },
    save: async ({ some, pointIds, last, ...body }) =>
      onStarted(await run({ body: { ...body, pointIds: some ? pointIds : [], to: addDays(last, 1) } })),
  })
}
type RequestState = ReturnType<typeof useRequestForm>

function OperationField({ form }: { form: RequestState }) {
  const { data } = useQuery(query(operations.list, { query: { size: 100, sort: 'name' } }))
  const open = data?.items.filter(({ status }) => status !== 'closed') ?? []
  return (
    <Field form={form} name="operationId" label="Opération">
      {(control) => (
        <Select
          {...control}
          // A list that comes later does not know the value it was given: it begins anew with its options.
          key={data ? 'known' : 'awaited'}
          onChange={(event) => {
            form.setValue('pointIds', [])
            return control.onChange(event)
          }}
          options={[
            { value: '', label: data ? 'Choisir une opération' : 'Chargement…' },
            ...open.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
    </Field>
  )
}

function KindField({ form }: { form: RequestState }) {
  const kind = form.watch('kind')
  return (
    <Field form={form} name="kind" label="Données" hint={SYNC_KIND_LABELS[kind].meaning}>
      {(control) => (
        <Select
          {...control}
          onChange={(event) => {
            const [first] = buildPeriodPresets(SyncKind.parse(event.target.value), getTodayInParis())
            if (first) {
              form.setValue('from', first.from)
              form.setValue('last', first.last)
            }
            return control.onChange(event)
          }}
          options={toChoices(SYNC_KIND_LABELS)}
        />
      )}
    </Field>
  )
}

function PeriodFields({ form }: { form: RequestState }) {
  const [kind, from, last] = form.watch(['kind', 'from', 'last'])
  const presets = buildPeriodPresets(kind, getTodayInParis())
  const chosen = presets.find((preset) => preset.from === from && preset.last === last)
  return (
    <div className="grid gap-3">
      <p className="-mb-1 text-body font-medium">Période</p>
      <FilterChips
        label="Période"
        options={presets.map(({ label }) => ({ value: label, label }))}
        value={chosen?.label}
        onChange={(label) => {
          const preset = presets.find((one) => one.label === label)
          if (!preset) return
          form.setValue('from', preset.from, { shouldValidate: true })
          form.setValue('last', preset.last, { shouldValidate: true })
        }}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="from" label="Premier jour" type="date" />
        <Field form={form} name="last" label="Dernier jour" type="date" />
      </div>
    </div>
  )
}

function DataRequestForm(props: DataRequestFormProps) {
  const form = useRequestForm(props)
  const [operationId, kind, some, pointIds, from, last] = form.watch([
    'operationId',
    'kind',
    'some',
    'pointIds',
    'from',
    'last',
  ])
  const needsPoints = kind !== 'perimeter'
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      {!props.operationId && <OperationField form={form} />}
      <KindField form={form} />
      {needsPoints && operationId && (
        <PointSelect
          operationId={operationId}
          some={some}
          chosen={pointIds}
          error={form.formState.errors.pointIds?.message}
          onChange={(next) => {
            form.setValue('some', next.some)
            form.setValue('pointIds', next.chosen)
            if (next.chosen.length > 0) form.clearErrors('pointIds')
          }}
        />
      )}
      {needsPoints && <PeriodFields form={form} />}
      {operationId && (
        <RequestCost operationId={operationId} kind={kind} from={from} last={last} pointIds={some ? pointIds : null} />
      )}
      <footer className="flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button variant="secondary">Annuler</Button>
        </DialogClose>
        <Button type="submit" loading={form.formState.isSubmitting}>
          Demander les données
        </Button>
      </footer>
    </form>
  )
}

type CostProps = {
  operationId: string
  kind: SyncKind
  from: string
  last: string
  /** Null for every point of the operation. */
  pointIds: string[] | null
}

/** What the request costs before it is made. */
function RequestCost({ operationId, kind, from, last, pointIds }: CostProps) {
  const { data } = useQuery(query(sync.standing, { params: { id: operationId } }))
  if (!data || !isDay(from) || !isDay(last)) return null
  const points = data.points.filter(({ pointId }) => !pointIds || pointIds.includes(pointId))
  const asked = points.filter(({ blockedAt }) => !blockedAt)
  const calls = countCalls(kind, asked, { from, to: addDays(last, 1) }, getTodayInParis())
  const blocked = points.length - asked.length
  return (
    <div role="status" className="flex items-start gap-2.5 rounded-control bg-page p-3 text-body">
      <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-soft" />
      <div className="grid gap-0.5">
        <p>
          {calls === 0 ? (
            'Aucun appel\u00a0: aucun point n’a de données à demander sur cette période.'
          ) : (
            <>
              <span className="tabular font-medium">{formatCount(calls, 'appel')}</span>, environ{' '}
              {formatRequestDuration(estimateSeconds(calls))} à 5 appels par seconde.
            </>
          )}
        </p>
        <p className="text-[0.8125rem] text-ink-soft">
          {data.environment
            ? `Connexion\u00a0: ${ENVIRONMENT_LABELS[data.environment].label}.`
            : 'Aucun identifiant n’est enregistré pour cette opération.'}
          {blocked > 0 &&
            ` ${formatCount(blocked, 'point bloqué n’est pas appelé', 'points bloqués ne sont pas appelés')}.`}
        </p>
      </div>
    </div>
  )
}

type PointSelection = { some: boolean; chosen: string[] }
type PointChoiceProps = PointSelection & {
  operationId: string
  error?: string
  onChange: (next: PointSelection) => void
}

const MIN_POINTS_FOR_SEARCH = 8
const createTextMatcher = (text: string) => {
  const words = text.toLowerCase()
  return ({ label, prm: digits }: PointSyncStatus) =>
    label.toLowerCase().includes(words) || digits.includes(words.replace(/\s/g, ''))
}
const formatPointHint = (point: PointSyncStatus) => `${formatMeterLine(point)}${point.blockedAt ? ' · bloqué' : ''}`

function PointList({
  points,
  chosen,
  onChange,
}: { points: PointSyncStatus[] } & Pick<PointChoiceProps, 'chosen'> & {
    onChange: (chosen: string[]) => void
  }) {
  const [text, setText] = useState('')
  const shown = points.filter(createTextMatcher(text))
  return (
    <div className="grid gap-2">
      {points.length > MIN_POINTS_FOR_SEARCH && (
        <SearchBox label="Rechercher un point" value={text} onSearch={setText} />
      )}
      <fieldset className="grid max-h-52 gap-2.5 overflow-y-auto rounded-control border border-line p-3">
        <legend className="sr-only">Points demandés</legend>
        {shown.map((point) => (
          <Checkbox
            key={point.pointId}
            label={formatPointName(point)}
            hint={formatPointHint(point)}
            checked={chosen.includes(point.pointId)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, point.pointId] : chosen.filter((id) => id !== point.pointId))
            }
          />
        ))}
        {shown.length === 0 && <p className="text-body text-ink-soft">Aucun point ne porte ce nom ou ce numéro.</p>}
      </fieldset>
    </div>
  )
}

/** All the points of the operation, or those one picks. */
function PointSelect({ operationId, some, chosen, error, onChange }: PointChoiceProps) {
  const { data } = useQuery(query(sync.standing, { params: { id: operationId } }))
  if (!data) return <Skeleton className="h-16 w-full" />
  const { points } = data
  return (
    <div className="grid gap-2">
      <RadioGroup
        label="Points"
        value={some ? 'some' : 'all'}
        onChange={({ target }) => onChange({ some: target.value === 'some', chosen })}
        options={[
          { value: 'all', label: `Tous les points de l’opération (${points.length})` },
          {
            value: 'some',
            label:
              chosen.length > 0 && some ? `Choisir (${formatCount(chosen.length, 'point')})` : 'Choisir des points',
          },
        ]}
      />
      {some && <PointList points={points} chosen={chosen} onChange={(next) => onChange({ some, chosen: next })} />}
      {error && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { Day, Id } from '@voisol/contract/primitives'
import { SyncKind, type SyncTask, sync } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { z } from 'zod'
import { SYNC_KIND_LABELS } from '../../lib/distributor-labels.ts'
import { toChoices } from '../../lib/energy-labels.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { Button } from '../button.tsx'
import { DialogClose } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { FilterChips } from '../filter-chips.tsx'
import { FormErrors } from '../form-errors.tsx'
import { getTodayInParis } from '../period/period.ts'
import { Select } from '../select.tsx'
import { RequestCost } from './cost.tsx'
import { PointSelect } from './point-choice.tsx'
import { buildPeriodPresets } from './presets.ts'

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

export function DataRequestForm(props: DataRequestFormProps) {
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

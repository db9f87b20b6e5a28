import { dataExports } from '@voisol/contract/exports'
import FileDown from 'lucide-react/icons/file-down'
import { Suspense, useId, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DateInput } from '../../ui/date-input.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Select } from '../../ui/select.tsx'
import { ExportOperationFilter, ExportParticipantFilter, useAllowedExportFilters } from './filters.tsx'
import { ExportPreview } from './preview.tsx'
import { type ExportDataSet, type ExportDataSets, type ExportDraft, useExportDraft } from './use-order.ts'
import { EXPORT_SHAPE_OPTIONS } from './words.ts'

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
export function NewExport({ items, connections }: ExportDataSets) {
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

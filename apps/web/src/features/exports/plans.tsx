import { useQuery } from '@tanstack/react-query'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { dataExports, type ExportPlan } from '@voisol/contract/exports'
import { withAccess } from '../../lib/can.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { EXPORT_PERIOD_LABELS, getExportShapeLabel, getScheduleLabel } from './words.ts'

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
export function ExportPlans() {
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

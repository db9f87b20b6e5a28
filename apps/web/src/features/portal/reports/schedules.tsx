import { useQuery } from '@tanstack/react-query'
import { type ReportSchedule, reports } from '@voisol/contract/reports'
import { lazy, Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { Can } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDate } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatMonthOrYear, MONTH_NAMES } from './report-periods.ts'

const softTextClass = 'block text-[0.8125rem] text-ink-soft'
const formatDayOfMonth = (day: number) => (day === 1 ? '1er' : `${day}`)
const describeRhythm = ({ month, day }: ReportSchedule) =>
  month === null
    ? `Le ${formatDayOfMonth(day)} de chaque mois`
    : `Le ${formatDayOfMonth(day)} ${MONTH_NAMES[month - 1]}, chaque année`

const columns: Column<ReportSchedule>[] = [
  {
    header: 'Rapport',
    card: 'title',
    cell: ({ templateName, subjectName }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{templateName}</span>
        <span className={softTextClass}>{subjectName}</span>
      </span>
    ),
  },
  {
    header: 'Quand',
    card: 'primary',
    cell: (schedule) => (
      <span className="block">
        {describeRhythm(schedule)}
        <span className={softTextClass}>
          {schedule.active ? `Prochain envoi le ${formatDate(schedule.nextOn)}` : 'Suspendu'}
          {schedule.lastPeriod && `, dernier\u00a0: ${formatMonthOrYear(schedule.lastPeriod)}`}
        </span>
      </span>
    ),
  },
  {
    header: 'Destinataires',
    cell: ({ recipients, recipientIds }) =>
      recipients.map(({ name }) => name).join(', ') ||
      (recipientIds.length > 0 ? 'Personne\u00a0: ils ont quitté l’organisation' : 'Personne'),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ active, trouble }) => (
      <span className="block max-w-72">
        <Badge tone={trouble ? 'danger' : active ? 'success' : 'neutral'}>
          {trouble ? 'Arrêté' : active ? 'Actif' : 'Suspendu'}
        </Badge>
        {trouble && <span className={softTextClass}>{trouble}</span>}
      </span>
    ),
  },
]

const EditScheduleDialog = lazy(() => import('./schedule-edit.tsx'))

function ScheduleActions({ schedule }: { schedule: ReportSchedule }) {
  const [edited, setEdited] = useState(false)
  const { id, month, day, recipientIds, active, version, templateName, subjectName } = schedule
  const update = useAction(reports.updateSchedule, [reports.schedules])
  const remove = useAction(reports.removeSchedule, [reports.schedules])
  const name = `${templateName}, ${subjectName}`
  const toggleActive = () =>
    void update
      .run({ params: { id }, body: { month, day, recipientIds, active: !active, version } })
      .catch((error: unknown) =>
        toast({ title: 'Envoi non modifié', description: explainError(error), variant: 'destructive' }),
      )
  const toggleLabel = active ? 'Suspendre' : 'Reprendre'
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`Modifier l’envoi ${name}`} onClick={() => setEdited(true)}>
        Modifier
      </Button>
      {edited && (
        <Suspense>
          <EditScheduleDialog schedule={schedule} onClose={() => setEdited(false)} />
        </Suspense>
      )}
      <Button
        variant="quiet"
        size="small"
        loading={update.isPending}
        aria-label={`${toggleLabel} ${name}`}
        onClick={toggleActive}
      >
        {toggleLabel}
      </Button>
      <Confirm
        trigger={
          <Button variant="quiet" size="small" aria-label={`Supprimer l’envoi ${name}`}>
            Supprimer
          </Button>
        }
        title={`Supprimer cet envoi\u00a0?`}
        description="Plus rien ne partira. Les rapports déjà établis restent."
        action="Supprimer l’envoi"
        onConfirm={() => remove.run({ params: { id } })}
      />
    </>
  )
}

/** What leaves by itself, when, to whom, and what stopped it. */
export default function ReportSchedules() {
  const { data, error, refetch } = useQuery(query(reports.schedules, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Envois programmés" />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Aucun envoi programmé"
        why={`Choisissez un modèle et programmez son envoi\u00a0: il part par e-mail chaque mois ou chaque année, une fois par période.`}
        action={<ButtonLink to="/reports?tab=modeles">Choisir un modèle</ButtonLink>}
      />
    )
  return (
    <Table
      label="Envois programmés"
      rows={data.items}
      columns={columns}
      rowActions={(schedule) => (
        <Can call={reports.updateSchedule}>
          <ScheduleActions schedule={schedule} />
        </Can>
      )}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { type ReportSchedule, reports, ScheduleUpdate } from '@voisol/contract/reports'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ScheduleFields } from './schedule-fields.tsx'

type Props = { schedule: ReportSchedule; onClose: () => void }

function EditScheduleForm({ schedule, onClose }: Props) {
  const { data, error, refetch } = useQuery(query(reports.people, {}))
  const update = useAction(reports.updateSchedule, [reports.schedules])
  const { id, month: first, day: on, recipientIds, active, version, span } = schedule
  const form = useSchemaForm(ScheduleUpdate, {
    defaults: { month: first, day: on, recipientIds, active, version },
    save: async (body) => {
      await update.run({ params: { id }, body })
      toast({ title: 'Envoi modifié', variant: 'success' })
      onClose()
    },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const [month, day, chosen] = form.watch(['month', 'day', 'recipientIds'])
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5 [&>*]:min-w-0">
      <FormErrors form={form} />
      <ScheduleFields
        yearly={span === 'year'}
        month={month}
        day={day}
        onRhythm={(next) => {
          if (next.month !== undefined) form.setValue('month', next.month)
          if (next.day !== undefined) form.setValue('day', next.day)
        }}
        people={data.items}
        // Whoever has left the company is nobody to write to.
        chosen={chosen.filter((one) => data.items.some((person) => person.id === one))}
        error={form.formState.errors.recipientIds?.message}
        onChange={(ids) => form.setValue('recipientIds', ids, { shouldDirty: true, shouldValidate: true })}
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer l’envoi
      </Button>
    </form>
  )
}

/** Whoever changes it answers for it from then on: it leaves in their name. */
export default function EditScheduleDialog(props: Props) {
  const { templateName, subjectName } = props.schedule
  return (
    <Dialog
      title="Modifier l’envoi"
      description={`${templateName}, ${subjectName}. L’envoi partira désormais en votre nom, tant que vous pouvez en lire les chiffres.`}
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <EditScheduleForm {...props} />
    </Dialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { NewSchedule, type ReportTemplate, reports } from '@voisol/contract/reports'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ScheduleFields } from './schedule-fields.tsx'

type Props = { template: ReportTemplate; subject: { id: string; name: string }; onClose: () => void }

function NewScheduleForm({ template, subject, onClose }: Props) {
  const { data, error, refetch } = useQuery(query(reports.people, {}))
  const create = useAction(reports.createSchedule, [reports.schedules])
  const yearly = template.span === 'year'
  const form = useSchemaForm(NewSchedule, {
    defaults: { template: template.ref, subjectId: subject.id, month: yearly ? 1 : null, day: 5, recipientIds: [] },
    save: async (body) => {
      await create.run({ body })
      toast({ title: 'Envoi programmé', variant: 'success' })
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
        yearly={yearly}
        month={month}
        day={day}
        onRhythm={(next) => {
          if (next.month !== undefined) form.setValue('month', next.month)
          if (next.day !== undefined) form.setValue('day', next.day)
        }}
        people={data.items}
        chosen={chosen}
        error={form.formState.errors.recipientIds?.message}
        onChange={(ids) => form.setValue('recipientIds', ids, { shouldDirty: true, shouldValidate: true })}
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Programmer l’envoi
      </Button>
    </form>
  )
}

export default function NewScheduleDialog(props: Props) {
  const { template, subject, onClose } = props
  const of = template.span === 'year' ? 'de l’année qui précède' : 'du mois qui précède'
  return (
    <Dialog
      title="Programmer l’envoi"
      description={`${template.name}, ${subject.name}\u00a0: le rapport ${of}, en pièce jointe, tant que vous pouvez en lire les chiffres.`}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <NewScheduleForm {...props} />
    </Dialog>
  )
}

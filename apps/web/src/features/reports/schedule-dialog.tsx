import { useQuery } from '@tanstack/react-query'
import { NewSchedule, type ReportTemplate, reports } from '@voisol/contract/reports'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { MONTH_NAMES } from './months.ts'

type Props = { template: ReportTemplate; subject: { id: string; name: string }; onClose: () => void }
const DAYS = Array.from({ length: 28 }, (_, at) => ({ value: `${at + 1}`, label: `le ${at === 0 ? '1er' : at + 1}` }))

type People = { id: string; name: string; email: string }[]
type Boxes = { people: People; chosen: string[]; error: string | undefined; onChange: (ids: string[]) => void }
const PeopleBoxes = ({ people, chosen, error, onChange }: Boxes) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-1.5 text-body font-medium">Destinataires</legend>
    <div className="grid max-h-56 gap-3 overflow-y-auto rounded-control border border-line bg-card p-3">
      {people.map(({ id, name, email }) => (
        <Checkbox
          key={id}
          label={
            <>
              {name} <span className="text-ink-soft">· {email}</span>
            </>
          }
          checked={chosen.includes(id)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </div>
    {error && <p className="text-[0.8125rem] text-danger">{error}</p>}
  </fieldset>
)

function Form({ template, subject, onClose }: Props) {
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
      <div className="grid gap-4 sm:grid-cols-2">
        {yearly && (
          <FieldFrame id="schedule-month" label="Chaque année, en">
            <Select
              id="schedule-month"
              value={`${month}`}
              options={MONTH_NAMES.map((label, at) => ({ value: `${at + 1}`, label }))}
              onChange={({ target }) => form.setValue('month', Number(target.value))}
            />
          </FieldFrame>
        )}
        <FieldFrame id="schedule-day" label={yearly ? 'Jour' : 'Chaque mois'}>
          <Select
            id="schedule-day"
            value={`${day}`}
            options={DAYS}
            onChange={({ target }) => form.setValue('day', Number(target.value))}
          />
        </FieldFrame>
      </div>
      <PeopleBoxes
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

export default function ScheduleDialog(props: Props) {
  const { template, subject, onClose } = props
  const of = template.span === 'year' ? 'de l’année qui précède' : 'du mois qui précède'
  return (
    <Dialog
      title="Programmer l’envoi"
      description={`${template.name}, ${subject.name}\u00a0: le rapport ${of}, en pièce jointe, tant que vous pouvez en lire les chiffres.`}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <Form {...props} />
    </Dialog>
  )
}

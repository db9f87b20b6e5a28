import { Text } from '@voisol/contract/primitives'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { CheckboxInput } from '../../../components/checkbox.tsx'
import { cx } from '../../../components/cx.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Can } from '../../../lib/can.tsx'
import { dayInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { getTodayInParis } from './labels.ts'
import {
  createFailureHandler,
  LineActions,
  type ProjectUpdateBody,
  useSaveProject,
  withLine,
  withoutLine,
} from './use-project.tsx'

/** A box answers at once; where the save fails it goes back. */
function useTickableSteps(project: ProjectDetail) {
  const { save, saving } = useSaveProject(project)
  const [ticked, setTicked] = useState<{ at: number; doneOn: string | null } | null>(null)
  const steps = project.steps.map((step, at) => (at === ticked?.at ? { ...step, doneOn: ticked.doneOn } : step))
  const tick = (at: number, on: boolean) => {
    const step = steps[at]
    if (!step) return
    const doneOn = on ? getTodayInParis() : null
    setTicked({ at, doneOn })
    void save({ steps: withLine(project.steps, at, { ...step, doneOn }) })
      .catch(createFailureHandler('Étape non enregistrée'))
      .finally(() => setTicked(null))
  }
  return { steps, tick, saving }
}

type StepLine = ProjectDetail['steps'][number]

type StepsProps = { steps: StepLine[]; add?: ReactNode; line?: (at: number) => StepActions }

function Steps({ steps, add, line }: StepsProps) {
  const done = steps.filter(({ doneOn }) => doneOn !== null).length
  const current = steps.findIndex(({ doneOn }) => doneOn === null)
  if (steps.length === 0)
    return (
      <EmptyState title="Aucune étape" why="Les étapes disent ce qu’il reste à faire et pour quand." action={add} />
    )
  return (
    <Card
      title="Étapes"
      description={`${formatCount(done, 'étape faite', 'étapes faites')} sur ${steps.length}.`}
      actions={add}
      className="max-w-3xl"
    >
      <ol>
        {steps.map((step, at) => (
          <StepLineItem
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may bear one title; nothing in a line outlives a save
            key={`${at}-${step.title}`}
            step={step}
            current={at === current}
            last={at === steps.length - 1}
            change={line?.(at)}
          />
        ))}
      </ol>
    </Card>
  )
}

function EditableSteps({ project }: { project: ProjectDetail }) {
  const [open, setOpen] = useState<{ at: number | null } | null>(null)
  const { steps, tick, saving } = useTickableSteps(project)
  const add = (
    <Button variant="secondary" icon={<Plus aria-hidden="true" />} onClick={() => setOpen({ at: null })}>
      Ajouter une étape
    </Button>
  )
  const line = (at: number): StepActions => ({
    project,
    saving,
    without: { steps: withoutLine(project.steps, at) },
    onTick: (on) => tick(at, on),
    onEdit: () => setOpen({ at }),
  })
  return (
    <>
      <Steps steps={steps} add={add} line={line} />
      {open && <StepDialog project={project} at={open.at} onClose={() => setOpen(null)} />}
    </>
  )
}

export default function StepsTab({ project }: { project: ProjectDetail }) {
  return (
    <Can call={projects.update} otherwise={<Steps steps={project.steps} />}>
      <EditableSteps project={project} />
    </Can>
  )
}

/** When it was done, or until when it is to be. */
export function describeStep({ dueOn, doneOn }: StepLine, day = getTodayInParis()) {
  if (doneOn) return `Faite le ${formatDate(doneOn)}`
  if (!dueOn) return 'Sans échéance'
  if (dueOn < day) return `En retard\u00a0: échéance le ${formatDate(dueOn)}`
  return dueOn === day ? 'Pour aujourd’hui' : `Pour le ${formatDate(dueOn)}`
}

/** What may be done with a line, by those who may change the project. */
type StepActions = {
  project: ProjectDetail
  without: Partial<ProjectUpdateBody>
  saving: boolean
  onTick: (on: boolean) => void
  onEdit: () => void
}
type Props = { step: StepLine; current: boolean; last: boolean; change: StepActions | undefined }

function StepLineItem({ step, current, last, change }: Props) {
  const isLate = !step.doneOn && step.dueOn !== null && step.dueOn < getTodayInParis()
  return (
    <li aria-current={current ? 'step' : undefined} className="group relative flex gap-3 pb-5 last:pb-0">
      {!last && (
        <span aria-hidden="true" className="absolute top-7 bottom-0 left-3 w-px -translate-x-px bg-line-strong" />
      )}
      <CheckboxInput
        aria-label={`${step.title}, faite`}
        checked={step.doneOn !== null}
        disabled={!change || change.saving}
        onChange={(event) => change?.onTick(event.target.checked)}
      />
      <div className="min-w-0 flex-1 pt-0.5">
        <p className={cx('text-body', current && 'font-semibold', step.doneOn && 'text-ink-soft')}>{step.title}</p>
        <p className={cx('tabular text-[0.8125rem]', isLate ? 'font-medium text-danger' : 'text-ink-soft')}>
          {describeStep(step)}
        </p>
      </div>
      {change && (
        <span className="-mt-1.5 inline-flex shrink-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:hover)]:opacity-0">
          <LineActions
            project={change.project}
            without={change.without}
            name={step.title}
            what="cette étape"
            onEdit={change.onEdit}
          />
        </span>
      )}
    </li>
  )
}

const StepForm = z.object({ title: Text, dueOn: dayInputSchema, doneOn: dayInputSchema })

type StepDialogProps = { project: ProjectDetail; at: number | null; onClose: () => void }

function StepEditForm({ project, at, onClose }: StepDialogProps) {
  const { save } = useSaveProject(project)
  const step = at === null ? undefined : project.steps[at]
  const form = useSchemaForm(StepForm, {
    defaults: { title: step?.title ?? '', dueOn: step?.dueOn ?? '', doneOn: step?.doneOn ?? '' },
    save: async (value) => {
      await save({ steps: withLine(project.steps, at, value) })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="title" label="Étape" autoComplete="off" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="dueOn" label="Échéance" type="date" optional />
        <Field form={form} name="doneOn" label="Faite le" type="date" optional />
      </div>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        {step ? 'Enregistrer l’étape' : 'Ajouter l’étape'}
      </Button>
    </form>
  )
}

const StepDialog = (props: StepDialogProps) => (
  <Dialog
    title={props.at === null ? 'Ajouter une étape' : 'Modifier l’étape'}
    width="narrow"
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <StepEditForm {...props} />
  </Dialog>
)

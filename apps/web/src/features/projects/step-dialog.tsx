import { Text } from '@voisol/contract/primitives'
import type { ProjectDetail } from '@voisol/contract/projects'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { dayInputSchema } from '../../lib/typed-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { withLine } from './body.ts'
import { useSaveProject } from './use-project.ts'

const StepForm = z.object({ title: Text, dueOn: dayInputSchema, doneOn: dayInputSchema })

type Props = { project: ProjectDetail; at: number | null; onClose: () => void }

function StepEditForm({ project, at, onClose }: Props) {
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

export const StepDialog = (props: Props) => (
  <Dialog
    title={props.at === null ? 'Ajouter une étape' : 'Modifier l’étape'}
    width="narrow"
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <StepEditForm {...props} />
  </Dialog>
)

import type { ProjectDetail } from '@voisol/contract/projects'
import { useSchemaForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { withLine } from './body.ts'
import { POSITION_FIELD } from './position-field.ts'
import { createRoofForm, RoofForm, toRoof, toRoofForm } from './roof-form.ts'
import { useSaveProject } from './use-project.ts'

type Props = { project: ProjectDetail; at: number | null; onClose: () => void }

function RoofEditForm({ project, at, onClose }: Props) {
  const { save } = useSaveProject(project)
  const roof = at === null ? undefined : project.roofs[at]
  const form = useSchemaForm(RoofForm, {
    defaults: roof ? toRoofForm(roof) : createRoofForm(project),
    save: async (value) => {
      await save({ roofs: withLine(project.roofs, at, toRoof(value)) })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="building" label="Bâtiment" placeholder="École, bâtiment A" autoComplete="off" />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field form={form} name="peakWatts" label="Puissance" hint="En kWc." inputMode="decimal" autoComplete="off" />
        <Field
          form={form}
          name="azimuth"
          label="Orientation"
          hint="Degrés&nbsp;: 90 est, 180 sud."
          inputMode="numeric"
          autoComplete="off"
        />
        <Field
          form={form}
          name="tilt"
          label="Inclinaison"
          hint="Degrés&nbsp;: 0 à plat."
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <Field form={form} name="position" {...POSITION_FIELD} />
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        {roof ? 'Enregistrer la toiture' : 'Ajouter la toiture'}
      </Button>
    </form>
  )
}

export const RoofDialog = (props: Props) => (
  <Dialog
    title={props.at === null ? 'Ajouter une toiture' : 'Modifier la toiture'}
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <RoofEditForm {...props} />
  </Dialog>
)

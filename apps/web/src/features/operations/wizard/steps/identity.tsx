import { Field } from '../../../../ui/field.tsx'
import { Textarea } from '../../../../ui/textarea.tsx'
import type { DraftForm } from '../use-draft.ts'

export const IdentityStep = ({ form }: { form: DraftForm }) => (
  <>
    <Field form={form} name="name" label="Nom de l’opération" placeholder="Résidence des Tilleuls" />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        form={form}
        name="accNumber"
        label="Numéro ACC"
        hint="Attribué par le gestionnaire de réseau à la signature de la convention."
        placeholder="ACC00000537"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name="startsOn"
        label="Date de début"
        hint="Le premier jour où l’énergie est partagée."
        type="date"
        optional
      />
    </div>
    <Field form={form} name="description" label="Description" optional>
      {(control) => <Textarea {...control} rows={3} />}
    </Field>
  </>
)

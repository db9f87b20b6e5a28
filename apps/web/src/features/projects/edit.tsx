import type { ProjectDetail } from '@voisol/contract/projects'
import { useNavigate } from 'react-router'
import { useSchemaForm } from '../../lib/form.ts'
import { useParentName } from '../../lib/subject.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { PriceFields, RulesFields } from './edit-fields.tsx'
import { changeOf, EditForm, editValues } from './form.ts'
import { IdentityFields } from './identity-fields.tsx'
import { WithProject } from './load.tsx'
import { useSave } from './use-project.ts'

function Form({ project }: { project: ProjectDetail }) {
  const navigate = useNavigate()
  const { save } = useSave(project)
  const back = `/projects/${project.id}`
  useParentName(project.name, back)
  const form = useSchemaForm(EditForm, {
    defaults: editValues(project),
    save: async (value) => {
      await save(changeOf(value))
      toast({ title: 'Projet enregistré', variant: 'success' })
      await navigate(back)
    },
  })
  const identity = form as never // it holds every field of the short form, by the same names
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-6">
      <FormErrors form={form} />
      <Card title="Identité et lieu">
        <div className="grid gap-4">
          <IdentityFields form={identity} />
          <Field form={form} name="description" label="Description" optional>
            {(control) => <Textarea {...control} rows={3} />}
          </Field>
        </div>
      </Card>
      <RulesFields form={form} />
      <PriceFields form={form} />
      <footer className="flex flex-wrap justify-end gap-2">
        <ButtonLink variant="secondary" to={back}>
          Annuler
        </ButtonLink>
        <Button type="submit" loading={form.formState.isSubmitting}>
          Enregistrer le projet
        </Button>
      </footer>
    </form>
  )
}

export default function EditProject() {
  return (
    <WithProject title="Modifier le projet">
      {(project) => (
        <>
          <PageHeader title="Modifier le projet" description={project.name} />
          <Form key={project.id} project={project} />
        </>
      )}
    </WithProject>
  )
}

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
import { ProjectEditForm, toProjectChange, toProjectEditForm } from './form.ts'
import { ProjectIdentityFields } from './identity-fields.tsx'
import { ProjectLoader } from './load.tsx'
import { useSaveProject } from './use-project.ts'

function EditProjectForm({ project }: { project: ProjectDetail }) {
  const navigate = useNavigate()
  const { save } = useSaveProject(project)
  const projectPath = `/projects/${project.id}`
  useParentName(project.name, projectPath)
  const form = useSchemaForm(ProjectEditForm, {
    defaults: toProjectEditForm(project),
    save: async (value) => {
      await save(toProjectChange(value))
      toast({ title: 'Projet enregistré', variant: 'success' })
      await navigate(projectPath)
    },
  })
  const identity = form as never // it holds every field of the short form, by the same names
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-6">
      <FormErrors form={form} />
      <Card title="Identité et lieu">
        <div className="grid gap-4">
          <ProjectIdentityFields form={identity} />
          <Field form={form} name="description" label="Description" optional>
            {(control) => <Textarea {...control} rows={3} />}
          </Field>
        </div>
      </Card>
      <RulesFields form={form} />
      <PriceFields form={form} />
      <footer className="flex flex-wrap justify-end gap-2">
        <ButtonLink variant="secondary" to={projectPath}>
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
    <ProjectLoader title="Modifier le projet">
      {(project) => (
        <>
          <PageHeader title="Modifier le projet" description={project.name} />
          <EditProjectForm key={project.id} project={project} />
        </>
      )}
    </ProjectLoader>
  )
}

import { withDe } from '@voisol/contract/elision'
import { projects } from '@voisol/contract/projects'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { FormErrors } from '../../../components/field.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ProjectIdentityFields } from './identity-fields.tsx'
import { EMPTY_PROJECT, NewProjectForm, toProjectDraft } from './project-form.ts'

export default function NewProject() {
  const navigate = useNavigate()
  const create = useAction(projects.create, [projects.list])
  const form = useSchemaForm(NewProjectForm, {
    defaults: EMPTY_PROJECT,
    save: async (value) => {
      const { id, name } = await create.run({ body: toProjectDraft(value) })
      toast({
        title: 'Projet créé',
        description: `Ajoutez les toitures et les candidats ${withDe(name)}.`,
        variant: 'success',
      })
      await navigate(`/projects/${id}?onglet=toitures`)
    },
  })
  return (
    <>
      <PageHeader
        title="Nouveau projet"
        description="Un nom suffit pour commencer. Les toitures, les candidats et les prix se précisent ensuite."
      />
      <Card className="max-w-3xl">
        <form onSubmit={form.submit} noValidate className="grid gap-4">
          <FormErrors form={form} />
          <ProjectIdentityFields form={form} />
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
            <ButtonLink variant="secondary" to="/projects">
              Annuler
            </ButtonLink>
            <Button type="submit" loading={form.formState.isSubmitting}>
              Créer le projet
            </Button>
          </footer>
        </form>
      </Card>
    </>
  )
}

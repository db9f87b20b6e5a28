import { type ProjectDetail, projects } from '@voisol/contract/projects'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useAddProjectNote } from './use-project.tsx'

const NoteForm = withAccess(projects.note, ({ project }: { project: ProjectDetail }) => {
  const note = useAddProjectNote()
  const form = useSchemaForm(projects.note.body, {
    defaults: { text: '' },
    save: async (body) => {
      await note.run({ params: { id: project.id }, body })
      form.reset({ text: '' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3">
      <FormErrors form={form} />
      <Field form={form} name="text" label="Nouvelle note">
        {(control) => <Textarea {...control} rows={3} />}
      </Field>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Ajouter la note
      </Button>
    </form>
  )
})

export default function NotesTab({ project }: { project: ProjectDetail }) {
  const canWrite = useCan()(projects.note)
  return (
    <Card
      title="Notes"
      description="Ce qui s’est dit et décidé, pour ceux qui suivent le projet."
      className="max-w-3xl"
    >
      <NoteForm project={project} />
      {project.notes.length > 0 && (
        <ol className="grid gap-4 not-first:mt-6 not-first:border-t not-first:border-line not-first:pt-5">
          {project.notes.map(({ id, text, author, createdAt }) => (
            <li key={id}>
              <p className="text-[0.8125rem] text-ink-soft">
                <span className="font-medium text-ink">{author}</span>, le {formatDateTime(createdAt)}
              </p>
              <p className="prose-width mt-1 text-body break-words whitespace-pre-line">{text}</p>
            </li>
          ))}
        </ol>
      )}
      {!canWrite && project.notes.length === 0 && (
        <p className="text-body text-ink-soft">Aucune note pour l’instant.</p>
      )}
    </Card>
  )
}

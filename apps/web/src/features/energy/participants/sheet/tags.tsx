import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { Tag } from '@voisol/contract/primitives'
import X from 'lucide-react/icons/x'
import { z } from 'zod'
import { Button } from '../../../../components/button.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { IconButton } from '../../../../components/icon-button.tsx'
import { getErrorReason } from '../../../../lib/call.ts'
import { useCan } from '../../../../lib/can.tsx'
import { useSchemaForm } from '../../../../lib/form.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import type { Section } from './drawer-section.tsx'

const TagForm = z.object({ tag: Tag })
type TagChange = { add: string[]; remove: string[] }

/** The work that many are tagged by, for one: tried, then done. */
function useChangeTags(id: string) {
  const { run, isPending } = useAction(participants.bulk, [...PARTICIPANT_DEPENDENT_QUERIES, participants.tags])
  const change = async (tags: TagChange) => {
    const body = { selection: { ids: [id] }, action: { kind: 'tags' as const, ...tags } }
    const { seal } = await run({ body: { ...body, dryRun: true } })
    await run({ body: { ...body, dryRun: false, seal } })
  }
  return { change, isPending }
}

type TagActions = ReturnType<typeof useChangeTags>

function AddTagForm({ change }: Pick<TagActions, 'change'>) {
  const form = useSchemaForm(TagForm, {
    defaults: { tag: '' },
    save: async ({ tag }) => {
      await change({ add: [tag], remove: [] })
      form.reset({ tag: '' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3">
      <FormErrors form={form} />
      <div className="flex flex-wrap items-end gap-2">
        <Field form={form} name="tag" label="Nouvelle étiquette" placeholder="bâtiment B" autoComplete="off" />
        <Button type="submit" variant="secondary" loading={form.formState.isSubmitting}>
          Ajouter
        </Button>
      </div>
    </form>
  )
}

const chipClass = 'inline-flex items-center gap-1 rounded-full border border-line-strong bg-page pl-3 text-body'

/** Words of the organiser's own, by which people are found again. */
type Props = { participant: ParticipantDetail; parts: { Section: typeof Section } }

export default function TagSection({ participant: { id, tags }, parts: { Section } }: Props) {
  const { change, isPending } = useChangeTags(id)
  const canWrite = useCan()(participants.bulk)
  const remove = (tag: string) =>
    change({ add: [], remove: [tag] }).catch((error: unknown) =>
      toast({ title: 'Étiquette non retirée', description: getErrorReason(error), variant: 'destructive' }),
    )
  return (
    <Section title="Étiquettes">
      <div className="grid gap-3">
        {tags.length === 0 && <p className="text-body text-ink-soft">Aucune étiquette.</p>}
        {tags.length > 0 && (
          <ul aria-label="Étiquettes" className="flex flex-wrap gap-2">
            {tags.map((tag) => (
              <li key={tag} className={canWrite ? chipClass : `${chipClass} py-1 pr-3`}>
                {tag}
                {canWrite && (
                  <IconButton
                    label={`Retirer ${tag}`}
                    icon={<X aria-hidden="true" />}
                    className="size-8"
                    disabled={isPending}
                    onClick={() => void remove(tag)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {canWrite && <AddTagForm change={change} />}
      </div>
    </Section>
  )
}

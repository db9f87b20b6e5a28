import { useQuery } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import { useNavigate } from 'react-router'
import { query, useAction } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useTabLink } from '../tab-link.ts'
import type { MembersByDirection } from '../use-members.ts'
import { getStartOfNextMonth, KEY_DEPENDENT_QUERIES } from './changes.ts'
import { KeyEditor, type KeyVersionDraft, SAVE_DRAFT_LABEL } from './editor.tsx'
import { type KeyForm, takesFiles, toKeyForm } from './form.ts'

const buildEmptyForm = (): KeyForm => ({
  method: 'default',
  label: '',
  startsOn: getStartOfNextMonth(),
  decimals: 1,
  cells: {},
})

type NewKeyVersionProps = { operationId: string; members: MembersByDirection; model: string | null }

/** A version that does not exist yet, from nothing or from another one. */
export function NewKeyVersion({ operationId, members, model }: NewKeyVersionProps) {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run } = useAction(keys.create, KEY_DEPENDENT_QUERIES)
  const source = useQuery({ ...query(keys.get, { params: { id: model ?? '' } }), enabled: model !== null })
  const create = async (draft: KeyVersionDraft) => {
    const made: Key = await run({ params: { id: operationId }, body: draft })
    void navigate(link('cles', { cle: made.id }))
  }
  if (source.error) return <ErrorState error={source.error} onRetry={source.refetch} />
  if (model !== null && !source.data) return <Skeleton className="h-96 w-full" />
  const start = source.data
    ? { ...toKeyForm(source.data), label: '', startsOn: getStartOfNextMonth() }
    : buildEmptyForm()
  return (
    <Card
      title="Nouvelle version"
      description={
        source.data
          ? `Copie de la version ${source.data.number}. Rien ne change tant qu’elle n’est pas adoptée.`
          : 'Un brouillon\u00a0: rien ne change tant qu’il n’est pas adopté.'
      }
    >
      <KeyEditor
        key={model ?? 'blank'}
        operationId={operationId}
        members={members}
        start={start}
        action={SAVE_DRAFT_LABEL}
        onSave={create}
        more={() => (
          <span className="text-[0.8125rem] text-ink-soft">
            {takesFiles(start.method)
              ? 'Les fichiers de coefficients s’importent une fois le brouillon enregistré.'
              : 'Vous pourrez encore le modifier avant de l’adopter.'}
          </span>
        )}
      />
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import { useNavigate } from 'react-router'
import { query, useAction } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useTabLink } from '../tab-link.ts'
import type { Members } from '../use-members.ts'
import { CHANGED, nextMonth } from './changes.ts'
import { CREATE, type Draft, Editor } from './editor.tsx'
import { formOf, type KeyForm, takesFiles } from './form.ts'

const blank = (): KeyForm => ({ method: 'default', label: '', startsOn: nextMonth(), decimals: 1, cells: {} })

type NewVersionProps = { operationId: string; members: Members; model: string | null }

/** A version that does not exist yet, from nothing or from another one. */
export function NewVersion({ operationId, members, model }: NewVersionProps) {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run } = useAction(keys.create, CHANGED)
  const source = useQuery({ ...query(keys.get, { params: { id: model ?? '' } }), enabled: model !== null })
  const create = async (draft: Draft) => {
    const made: Key = await run({ params: { id: operationId }, body: draft })
    void navigate(link('cles', { cle: made.id }))
  }
  if (source.error) return <ErrorState error={source.error} onRetry={source.refetch} />
  if (model !== null && !source.data) return <Skeleton className="h-96 w-full" />
  const start = source.data ? { ...formOf(source.data), label: '', startsOn: nextMonth() } : blank()
  return (
    <Card
      title="Nouvelle version"
      description={
        source.data
          ? `Copie de la version ${source.data.number}. Rien ne change tant qu’elle n’est pas adoptée.`
          : 'Un brouillon\u00a0: rien ne change tant qu’il n’est pas adopté.'
      }
    >
      <Editor
        key={model ?? 'blank'}
        operationId={operationId}
        members={members}
        start={start}
        action={CREATE}
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

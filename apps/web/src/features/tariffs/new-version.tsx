import { useQuery } from '@tanstack/react-query'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { type Tariff, type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import { useNavigate } from 'react-router'
import { query, useAction } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Editor, type Written } from './editor.tsx'
import { blankRule, formOf } from './form.ts'
import { CHANGED, nextMonth, useVersionLink } from './links.ts'

type Proposal = { label: string; startsOn: string; rules: TariffRule[] } | null
type NewVersionProps = { operationId: string; choices: TariffChoices; model: string | null; proposal: Proposal }

/** From another version, from the price that was said of the operation, or from nothing. */
function startOf(source: Tariff | undefined, proposal: Proposal) {
  if (source) return { label: '', startsOn: nextMonth(), rules: formOf(source.rules) }
  if (proposal) return { ...proposal, rules: formOf(proposal.rules) }
  return { label: '', startsOn: nextMonth(), rules: [blankRule('')] }
}

const wordsOf = (source: Tariff | undefined, proposal: Proposal) => {
  if (source) return `Copie de la version ${source.number}. Rien ne change tant qu’elle n’est pas adoptée.`
  if (proposal) return 'Au prix donné à la création de l’opération. Rien ne change tant qu’il n’est pas adopté.'
  return 'Un brouillon\u00a0: rien ne change tant qu’il n’est pas adopté.'
}

export function NewVersion({ operationId, choices, model, proposal }: NewVersionProps) {
  const navigate = useNavigate()
  const link = useVersionLink()
  const { run } = useAction(tariffs.create, CHANGED)
  const source = useQuery({ ...query(tariffs.get, { params: { id: model ?? '' } }), enabled: model !== null })
  if (source.error) return <ErrorState error={source.error} onRetry={source.refetch} />
  if (model !== null && !source.data) return <Skeleton className="h-96 w-full" />
  const create = async (written: Written) => {
    const made = await run({ params: { id: operationId }, body: written })
    void navigate(link({ version: made.id }))
  }
  return (
    <Card title="Nouveau tarif" description={wordsOf(source.data, proposal)}>
      <Editor
        key={model ?? 'blank'}
        operationId={operationId}
        choices={choices}
        start={startOf(source.data, proposal)}
        action="Enregistrer le brouillon"
        onSave={create}
        more={() => (
          <span className="text-[0.8125rem] text-ink-soft">Vous pourrez encore le modifier avant de l’adopter.</span>
        )}
      />
    </Card>
  )
}

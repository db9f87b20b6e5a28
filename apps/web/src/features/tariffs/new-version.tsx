import { useQuery } from '@tanstack/react-query'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { type Tariff, type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import { useNavigate } from 'react-router'
import { query, useAction } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TariffEditor, type TariffVersionInput } from './editor.tsx'
import { createBlankRule, toRuleForms } from './form.ts'
import { getNextMonthStart, TARIFF_DEPENDENT_QUERIES, useVersionLink } from './links.ts'

type TariffProposal = { label: string; startsOn: string; rules: TariffRule[] } | null
type NewTariffVersionProps = {
  operationId: string
  choices: TariffChoices
  model: string | null
  proposal: TariffProposal
}

/** From another version, from the price that was said of the operation, or from nothing. */
function toInitialValues(source: Tariff | undefined, proposal: TariffProposal) {
  if (source) return { label: '', startsOn: getNextMonthStart(), rules: toRuleForms(source.rules) }
  if (proposal) return { ...proposal, rules: toRuleForms(proposal.rules) }
  return { label: '', startsOn: getNextMonthStart(), rules: [createBlankRule('')] }
}

const describeSource = (source: Tariff | undefined, proposal: TariffProposal) => {
  if (source) return `Copie de la version ${source.number}. Rien ne change tant qu’elle n’est pas adoptée.`
  if (proposal) return 'Au prix donné à la création de l’opération. Rien ne change tant qu’il n’est pas adopté.'
  return 'Un brouillon\u00a0: rien ne change tant qu’il n’est pas adopté.'
}

export function NewTariffVersion({ operationId, choices, model, proposal }: NewTariffVersionProps) {
  const navigate = useNavigate()
  const link = useVersionLink()
  const { run } = useAction(tariffs.create, TARIFF_DEPENDENT_QUERIES)
  const source = useQuery({ ...query(tariffs.get, { params: { id: model ?? '' } }), enabled: model !== null })
  if (source.error) return <ErrorState error={source.error} onRetry={source.refetch} />
  if (model !== null && !source.data) return <Skeleton className="h-96 w-full" />
  const create = async (written: TariffVersionInput) => {
    const created = await run({ params: { id: operationId }, body: written })
    void navigate(link({ version: created.id }))
  }
  return (
    <Card title="Nouveau tarif" description={describeSource(source.data, proposal)}>
      <TariffEditor
        key={model ?? 'blank'}
        operationId={operationId}
        choices={choices}
        start={toInitialValues(source.data, proposal)}
        action="Enregistrer le brouillon"
        onSave={create}
        more={() => (
          <span className="text-[0.8125rem] text-ink-soft">Vous pourrez encore le modifier avant de l’adopter.</span>
        )}
      />
    </Card>
  )
}

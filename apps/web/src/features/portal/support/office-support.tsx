import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { content } from '@voisol/contract/content'
import { useState } from 'react'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { query } from '../../../lib/queries.ts'
import { OwnSupport } from './own-tickets.tsx'
import { SuggestionLink } from './suggestions.tsx'

/** Questions and guides, found by their words. */
function KnowledgeSearch() {
  const [q, setQ] = useState('')
  const suggestions = useQuery({
    ...query(content.suggest, { query: { q, size: 8 } }),
    enabled: q.length > 2,
    placeholderData: keepPreviousData,
  })
  const items = q.length > 2 ? (suggestions.data?.items ?? []) : []
  return (
    <Card
      title="Chercher une réponse"
      description={
        'Dans les questions fréquentes et les guides\u00a0; les accents et les fautes de frappe ne gênent pas.'
      }
      actions={
        <ButtonLink variant="secondary" size="small" to="/faq-autoconsommation">
          Toutes les questions
        </ButtonLink>
      }
    >
      <SearchBox label="Chercher dans l’aide" value={q} onSearch={setQ} className="max-w-xl" />
      {suggestions.error && <ErrorState error={suggestions.error} onRetry={suggestions.refetch} />}
      <div aria-live="polite" className="mt-3">
        {items.length > 0 && (
          <ul className="grid gap-1 md:grid-cols-2">
            {items.map((item) => (
              <li key={`${item.kind} ${item.slug}`}>
                <SuggestionLink {...item} />
              </li>
            ))}
          </ul>
        )}
        {q.length > 2 && suggestions.data?.items.length === 0 && (
          <p className="text-body text-ink-soft">
            Rien ne répond à ces mots. Posez votre question&nbsp;: quelqu’un vous répondra.
          </p>
        )}
      </div>
    </Card>
  )
}

/** An organiser's questions to the keeper of the installation. */
export default function OfficeSupport() {
  return (
    <OwnSupport
      title="Support"
      description="Vos questions à l’équipe qui tient cette installation."
      more={<KnowledgeSearch />}
    />
  )
}

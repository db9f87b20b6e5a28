import { useQuery } from '@tanstack/react-query'
import { content } from '@voisol/contract/content'
import { Accordion } from '../../../components/accordion.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Prose } from '../../../components/prose/prose.tsx'
import { query } from '../../../lib/queries.ts'

const FAQ_CATEGORIES: Record<string, string> = {
  comprendre: 'Comprendre l’autoconsommation collective',
  participer: 'Participer à une opération',
  argent: 'Argent et factures',
  donnees: 'Données et compteurs',
  plateforme: 'Utiliser Voisol',
}

/** Everything, by shelf. */
export default function FaqCategories() {
  const { data, error, refetch } = useQuery(query(content.published, { params: { kind: 'faq' }, query: { size: 100 } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  if (!data.items.length)
    return (
      <EmptyState
        title="Aucune question publiée"
        why="Les questions fréquentes du site paraîtront ici."
        because="comes-by-itself"
      />
    )
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {Object.entries(FAQ_CATEGORIES).map(([shelf, label]) => {
        const entries = data.items
          .filter(({ category }) => category === shelf)
          .map(({ slug, title, body }) => ({ id: slug, title, content: <Prose blocks={body ?? []} /> }))
        return (
          entries.length > 0 && (
            <Card key={shelf} title={label}>
              <Accordion entries={entries} />
            </Card>
          )
        )
      })}
    </div>
  )
}

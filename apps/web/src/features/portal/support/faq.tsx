import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { content } from '@voisol/contract/content'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { query } from '../../../lib/queries.ts'
import { SuggestionLink } from './suggestions.tsx'

const FaqCategories = lazy(() => import('./faq-categories.tsx'))
const MIN_QUERY_LENGTH = 3

function SearchResults({ q }: { q: string }) {
  const { data, error, refetch } = useQuery({
    ...query(content.suggest, { query: { q, size: 20 } }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (!data.items.length)
    return (
      <EmptyState
        title="Rien ne répond à ces mots"
        why="Essayez d’autres mots, ou posez votre question."
        action={<ButtonLink to="/support?nouvelle=1">Poser une question</ButtonLink>}
      />
    )
  return (
    <Card title="Questions et guides">
      <ul className="grid gap-1">
        {data.items.map((item) => (
          <li key={`${item.kind} ${item.slug}`}>
            <SuggestionLink {...item} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The questions of the site, searched together with its guides. */
export default function FaqPage() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  return (
    <>
      <PageHeader
        title="Questions fréquentes"
        description="Les questions fréquentes et les guides du site."
        actions={
          <ButtonLink variant="secondary" to="/support?nouvelle=1">
            Poser une question
          </ButtonLink>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <SearchBox
          label="Chercher une question ou un guide"
          value={q}
          onSearch={(text) => setSearch(text ? { q: text } : {})}
          className="max-w-xl"
        />
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          {q.length >= MIN_QUERY_LENGTH ? <SearchResults q={q} /> : <FaqCategories />}
        </Suspense>
      </div>
    </>
  )
}

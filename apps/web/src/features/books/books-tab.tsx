import { useQuery } from '@tanstack/react-query'
import type { BookEntity } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TrialBalance } from './balance.tsx'
import { useBookChoice } from './choice.ts'
import { DoubtfulClaims } from './doubts.tsx'
import { BookDownloads } from './downloads.tsx'
import { BookMonths } from './months.tsx'
import { UnansweredQuestions } from './questions.tsx'
import { BookControls } from './ties.tsx'
import { BookToolbar } from './toolbar.tsx'

function BookContent({ entities }: { entities: BookEntity[] }) {
  const { entity, years, year, search, choose } = useBookChoice(entities)
  if (!entity)
    return (
      <EmptyState
        title="Aucune entité"
        why={
          'Chaque vendeur, et l’organisateur pour ses frais, a sa comptabilité\u00a0: elle naît avec ses premières factures.'
        }
        action={<ButtonLink to="/advanced-billing?tab=sellers">Ajouter un vendeur</ButtonLink>}
      />
    )
  const bookYear = { sellerId: entity.id, year }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <BookToolbar entities={entities} entity={entity} years={years} year={year} choose={choose}>
        <BookDownloads {...bookYear} yearStart={entity.yearStart} />
      </BookToolbar>
      <UnansweredQuestions choose={choose} />
      <BookControls {...bookYear} />
      <BookMonths {...bookYear} month={search.get('mois')} choose={choose} />
      <DoubtfulClaims sellerId={entity.id} />
      <TrialBalance {...bookYear} />
    </div>
  )
}

/** What was issued and paid as accountants read it: controls that show zero, months, entries, files. */
export default function BooksTab() {
  const { data, error, refetch } = useQuery(query(books.list, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <BookContent entities={data.items} />
}

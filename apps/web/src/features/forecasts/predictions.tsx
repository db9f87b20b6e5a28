import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { forecasts } from '@voisol/contract/forecasts'
import { Suspense } from 'react'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ForecastOrigin } from './about.tsx'
import { ForecastAccuracyCard } from './accuracy.tsx'
import { ForecastControls } from './controls.tsx'
import { ForecastDays } from './days.tsx'
import { type ForecastChoice, useForecastChoice } from './use-choice.ts'

const ForecastChart = lazy(async () => ({ default: (await import('./picture.tsx')).ForecastChart }))
const loadingSkeleton = <Skeleton className="h-96 w-full" />

const NoOperation = () => (
  <EmptyState
    title="Aucune opération en service"
    why="Les prévisions commencent avec la première opération en service qui compte une centrale."
    action={
      <ButtonLink variant="secondary" to="/acc-operations">
        Voir les opérations
      </ButtonLink>
    }
  />
)

/** Nothing was issued, ever or on that morning: it is never said afterwards. */
const NoForecast = ({ day }: { day: string | undefined }) =>
  day ? (
    <EmptyState
      title="Aucune prévision émise ce jour-là"
      why="Une prévision qui n’a pas été émise le jour même ne l’est pas après coup. Choisissez un autre jour."
      because="chosen-here"
    />
  ) : (
    <EmptyState
      title="Pas encore de prévision"
      why="La première est émise le matin qui suit les premiers relevés de production. Sous quinze jours de relevés, un modèle physique parle seul, et le dit."
      action={
        <ButtonLink variant="secondary" to="/acc-operations">
          Voir les opérations
        </ButtonLink>
      }
    />
  )

function ForecastView({ choice }: { choice: ForecastChoice }) {
  const { data, error, refetch } = useQuery({
    ...query(forecasts.get, { query: choice }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return loadingSkeleton
  if (!data.forecast) return <NoForecast day={choice.day} />
  return (
    <>
      <Card>
        <Suspense fallback={loadingSkeleton}>
          <ForecastChart said={data.forecast} />
        </Suspense>
      </Card>
      <ForecastDays said={data.forecast} />
      <ForecastAccuracyCard choice={choice} />
      <ForecastOrigin said={data.forecast} />
    </>
  )
}

/** What the coming days should bring, and how such words have done so far. */
export default function ForecastsPage() {
  const { data, error, refetch } = useQuery(query(forecasts.subjects, {}))
  const subjects = data?.items ?? []
  const { choice, choose, subject } = useForecastChoice(subjects)
  return (
    <>
      <PageHeader
        title="Prédictions"
        description="Ce que les prochains jours devraient donner, et ce que valaient les prévisions d’avant."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && loadingSkeleton}
        {data && !subject && <NoOperation />}
        {subject && (
          <>
            <ForecastControls
              subjects={subjects}
              choice={choice}
              choose={choose}
              first={subject.firstDay}
              last={subject.lastDay}
              shown={choice.day ?? subject.lastDay}
            />
            <ForecastView choice={choice} />
          </>
        )}
      </div>
    </>
  )
}

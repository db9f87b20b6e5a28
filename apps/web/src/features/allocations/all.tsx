import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { useSearchParams } from 'react-router'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { SelectedOperation } from './all/chosen.tsx'
import { AllFigures } from './all/figures.tsx'
import { OperationTable } from './all/operation-table.tsx'
import { getDefaultDay } from './starting-period.ts'

const EMPTY_STATE = (
  <EmptyState
    title="Aucune opération"
    why="La répartition d’une opération apparaît ici dès que ses courbes sont reçues."
    action={<ButtonLink to="/acc-operations/new">Nouvelle opération</ButtonLink>}
  />
)

/** How each operation shares its energy, and the flows of the one that is chosen. */
export default function AllocationOverview() {
  const [period, setPeriod] = usePeriod('month', getDefaultDay())
  const [search, setSearch] = useSearchParams()
  const { from, to } = period
  const { data, error, refetch } = useQuery(query(energy.operations, { query: { from, to } }))
  const rows = data?.items ?? []
  const chosen =
    rows.find(({ id }) => id === search.get('operation')) ?? rows.toSorted((a, b) => b.shared - a.shared)[0]
  const choose = (id: string) =>
    setSearch(
      (old) => {
        old.set('operation', id)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title="Répartition de l’énergie"
        description="Ce que chaque opération a produit, partagé entre ses participants et laissé au réseau."
        actions={
          <ButtonLink variant="secondary" to="/member-distribution">
            Voir par membre
          </ButtonLink>
        }
      />
      <div className="grid gap-5 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod} />
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && (
          <>
            <Skeleton className="h-28 w-full" />
            <TableSkeleton label="Opérations" />
          </>
        )}
        {data && rows.length === 0 && EMPTY_STATE}
        {data && rows.length > 0 && (
          <>
            <AllFigures total={data.total} />
            <OperationTable rows={rows} chosen={chosen?.id} onChoose={choose} />
            {chosen && <SelectedOperation operation={chosen} period={period} />}
          </>
        )}
      </div>
    </>
  )
}

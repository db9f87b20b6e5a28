import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dataExports } from '@voisol/contract/exports'
import { useEffect } from 'react'
import { query, useList } from '../../lib/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NewExport } from './new-export.tsx'
import { ExportPlans } from './plans.tsx'
import { ExportActions, exportColumns } from './rows.tsx'
import { isExportInProgress } from './words.ts'

const POLL_MS = 1500

/** Looked at again while something is under way. */
function usePolling(active: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: [dataExports.list.path] }), POLL_MS)
    return () => clearInterval(timer)
  }, [active, client])
}

function NewExportSection() {
  const { data, error, refetch } = useQuery(query(dataExports.sets, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <NewExport {...data} />
}

/** Any data that one may see, as a file, and what became of those one asked for. */
export default function ExportsPage() {
  const list = useList(dataExports.list)
  usePolling(list.items.some(isExportInProgress))
  return (
    <>
      <PageHeader
        title="Exports de données"
        description="Courbes, répartitions, membres, factures, journaux&nbsp;: ce que vous pouvez consulter, dans le format de votre outil."
      />
      <div className="grid gap-8 [&>*]:min-w-0">
        <NewExportSection />
        <ExportPlans />
        <section className="grid gap-3">
          <h2 className="text-base font-semibold tracking-[-0.01em]">Mes exports</h2>
          <ListScreen
            list={list}
            label="Mes exports"
            columns={exportColumns}
            rowActions={(one) => <ExportActions one={one} />}
            empty={
              <EmptyState
                title="Aucun export"
                why="Choisissez ci-dessus ce que vous voulez emporter. Un fichier prêt reste sept jours ici&nbsp;; ensuite on le refait d’un geste, avec les données du moment."
                because="chosen-here"
              />
            }
          />
        </section>
      </div>
    </>
  )
}

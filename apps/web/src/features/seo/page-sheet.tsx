import { useQuery } from '@tanstack/react-query'
import { seo } from '@voisol/contract/seo'
import { query } from '../../lib/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PageForm } from './page-form.tsx'

function Content({ path, onClose }: { path: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...query(seo.list, { query: { q: path, size: 100 } }), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const record = data.items.find((one) => one.path === path)
  if (!record) return <EmptyState title="Aucune page ici" why={`Le site n’a pas de page à l’adresse ${path}.`} />
  return <PageForm key={record.version} record={record} onDone={onClose} onReload={refetch} />
}

/** One page: what is served for it, and what one would rather have served. */
export const PageSheet = ({ path, onClose }: { path: string; onClose: () => void }) => (
  <Dialog
    title={path}
    description="Un champ laissé vide garde ce que la page dit d’elle-même."
    width="full"
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <Content path={path} onClose={onClose} />
  </Dialog>
)

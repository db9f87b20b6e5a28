import { useQuery } from '@tanstack/react-query'
import { type SeoRecord, seo } from '@voisol/contract/seo'
import { Can, useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SeoPageForm } from './page-form.tsx'
import { SearchPreview, SharePreview } from './previews.tsx'

/** For those who may not change it: what is served. */
const ServedPreviews = ({ record: { path, served } }: { record: SeoRecord }) => (
  <div className="grid gap-6 lg:grid-cols-2 [&>*]:min-w-0">
    <SearchPreview path={path} {...served} />
    <SharePreview {...served} />
  </div>
)

function SeoPageContent({ path, onClose }: { path: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...query(seo.list, { query: { q: path, size: 100 } }), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const record = data.items.find((one) => one.path === path)
  if (!record)
    return (
      <EmptyState title="Aucune page ici" why={`Le site n’a pas de page à l’adresse ${path}.`} because="chosen-here" />
    )
  return (
    <Can call={seo.save} otherwise={<ServedPreviews record={record} />}>
      <SeoPageForm key={record.version} record={record} onDone={onClose} onReload={refetch} />
    </Can>
  )
}

/** One page: what is served for it, and what one would rather have served. */
export const SeoPageDialog = ({ path, onClose }: { path: string; onClose: () => void }) => (
  <Dialog
    title={path}
    description={
      useCan()(seo.save)
        ? 'Un champ laissé vide garde ce que la page dit d’elle-même.'
        : 'Ce que les moteurs de recherche et les liens partagés montrent.'
    }
    width="full"
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <SeoPageContent path={path} onClose={onClose} />
  </Dialog>
)

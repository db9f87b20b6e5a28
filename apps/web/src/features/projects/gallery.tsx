import type { Project } from '@voisol/contract/projects'
import type { ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import type { ListState } from '../../ui/list-screen.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type GalleryProps = {
  list: ListState<Project>
  search: string
  filters: ReactNode
  exports: ReactNode
  empty: ReactNode
  children: ReactNode
}

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

function GalleryContent({ list, empty, children }: Pick<GalleryProps, 'list' | 'empty' | 'children'>) {
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />
  if (list.isPending) return <Skeleton className="h-96 w-full rounded-card" />
  const { q, kind, status } = list.filters
  if (list.total > 0)
    return (
      <>
        {children}
        {list.total > list.items.length && (
          <p className="text-body text-ink-soft">
            Les {formatCount(list.items.length, 'premier projet', 'premiers projets')} sur {list.total}&nbsp;: affinez
            la recherche pour voir les autres.
          </p>
        )}
      </>
    )
  if (!(q || kind || status)) return empty
  return (
    <EmptyState
      title="Aucun résultat"
      why="Aucun projet ne correspond à la recherche et aux filtres choisis."
      action={
        <Button
          variant="secondary"
          onClick={() => list.setFilters({ q: undefined, kind: undefined, status: undefined })}
        >
          Effacer les filtres
        </Button>
      }
    />
  )
}

/** The tools of the list around another picture of the same rows. */
export const Gallery = ({ list, search, filters, exports, empty, children }: GalleryProps) => (
  <div className="grid gap-4 [&>*]:min-w-0">
    <div data-print="hide" className="flex flex-wrap items-center gap-3">
      <SearchBox
        label={search}
        value={toText(list.filters.q)}
        onSearch={(q) => list.setFilters({ q: q || undefined })}
        className="w-full sm:w-80"
      />
      {filters}
      <div className="flex flex-wrap gap-2 sm:ml-auto">{exports}</div>
    </div>
    <GalleryContent list={list} empty={empty}>
      {children}
    </GalleryContent>
  </div>
)

import { type ContentRow, content } from '@voisol/contract/content'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Link } from '../../ui/link.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Column } from '../../ui/table.tsx'
import { useContentNavigation } from './address.ts'
import { CONTENT_KINDS, contentKindOptions, contentStatusOptions, getCategoryLabel } from './labels.ts'
import { NewContent } from './new-content.tsx'
import { PublicLink } from './public-link.tsx'
import { ContentActions } from './row-actions.tsx'
import { ContentStatusBadges } from './state.tsx'

const ContentTitle = ({ row }: { row: ContentRow }) => (
  <span className="block min-w-56">
    <Link
      to={useContentNavigation().linkTo(row.id)}
      className="inline-flex min-h-6 items-center font-medium hover:underline"
    >
      {row.title}
    </Link>
    <span className="block text-[0.8125rem]">
      {row.status === 'published' ? (
        <PublicLink path={row.path} title={row.title} />
      ) : (
        <span className="break-words text-ink-soft">{row.path}</span>
      )}
    </span>
  </span>
)

const formatPublication = ({ status, publishAt, publishedAt }: ContentRow) =>
  status === 'scheduled' && publishAt ? formatDateTime(publishAt) : publishedAt ? formatDate(publishedAt) : '–'

const columns: Column<ContentRow>[] = [
  { header: 'Titre', card: 'title', sort: 'title', cell: (row) => <ContentTitle row={row} /> },
  {
    header: 'Type',
    card: 'primary',
    sort: 'kind',
    cell: (row) => <span className="whitespace-nowrap">{CONTENT_KINDS[row.kind].label}</span>,
  },
  { header: 'Rubrique', card: 'none', sort: 'category', cell: (row) => getCategoryLabel(row.category) },
  { header: 'État', card: 'primary', sort: 'status', cell: (row) => <ContentStatusBadges row={row} /> },
  { header: 'Publication', card: 'primary', sort: 'publishedAt', cell: formatPublication },
  {
    header: 'Modifié le',
    card: 'primary',
    sort: 'updatedAt',
    cell: (row) => (
      <span className="block min-w-32">
        <span className="block">{formatDate(row.updatedAt)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{row.updatedBy}</span>
      </span>
    ),
  },
]

export function ContentList() {
  const list = useList(content.list)
  return (
    <>
      <PageHeader
        title="Contenus du site"
        description="Articles, webinaires, livres blancs, études de cas, questions, guides et pages légales. Ce qui est publié est en ligne aussitôt."
        actions={
          <>
            <ButtonLink to="/cms-admin/mentions-legales" variant="secondary">
              Mentions légales
            </ButtonLink>
            <NewContent />
          </>
        }
      />
      <ListScreen
        list={list}
        label="Contenus du site"
        search="Rechercher un titre, un lien, un auteur"
        columns={columns}
        filters={
          <>
            <FilterChips
              label="Type"
              options={contentKindOptions}
              value={list.filters.kind}
              onChange={(kind) => list.setFilters({ kind })}
            />
            <FilterChips
              label="État"
              options={contentStatusOptions}
              value={list.filters.status}
              onChange={(status) => list.setFilters({ status })}
            />
          </>
        }
        rowActions={(row) => <ContentActions row={row} />}
        empty={
          <EmptyState
            title="Aucun contenu"
            why="Articles, guides et questions du site apparaissent ici, du brouillon à la publication."
            action={<NewContent />}
          />
        }
      />
    </>
  )
}

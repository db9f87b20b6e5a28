import { useQuery } from '@tanstack/react-query'
import { type ContentRecord, type ContentRow, content } from '@voisol/contract/content'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import type { Column } from '../../../components/table.tsx'
import { getErrorReason } from '../../../lib/call.ts'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { focusHeading } from '../../../lib/navigation.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { BackLink } from './back-link.tsx'
import { ContentEditor } from './editor.tsx'
import {
  CONTENT_KINDS,
  ContentStatusBadges,
  contentStatusOptions,
  getCategoryLabel,
  PublicLink,
  useContentNavigation,
} from './labels.tsx'
import { UnpublishConfirm } from './publish.tsx'
import { VersionView } from './versions.tsx'

/** The list and each content share a path: going from one to the other is announced as a new page would be. */
function useFocusOnViewChange(view: string) {
  const last = useRef(view)
  useEffect(() => {
    if (last.current === view) return
    last.current = view
    window.scrollTo(0, 0)
    return focusHeading()
  }, [view])
}

const CREATABLE_CONTENT_KINDS = ['article', 'webinar', 'white-paper', 'case-study', 'faq', 'guide'] as const

/** What the site publishes: the list, and one content at a time. */
export default function ContentAdminPage() {
  const { id, nouveau, settle } = useContentNavigation()
  const [made, setMade] = useState<ContentRecord | null>(null)
  if (made && !id && !nouveau) setMade(null)
  const canWrite = useCan()(content.create)
  const requestedKind = canWrite ? nouveau : undefined
  const kind =
    CREATABLE_CONTENT_KINDS.find((one) => one === requestedKind) ?? (made && made.id === id ? made.kind : undefined)
  const openCreated = (record: ContentRecord) => {
    setMade(record)
    settle(record.id)
  }
  useFocusOnViewChange(kind ? 'nouveau' : (id ?? 'liste'))
  if (kind) return <ContentEditor key="nouveau" kind={kind} first={null} onCreated={openCreated} />
  return id ? <LoadedEditor key={id} id={id} /> : <ContentList />
}

/** Always read anew: one never starts to write from an old state. */
function LoadedEditor({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({ ...query(content.get, { params: { id } }), staleTime: 0, gcTime: 0 })
  const canWrite = useCan()(content.save)
  if (data) return canWrite ? <ContentEditor kind={data.kind} first={data} /> : <ReadOnlyContent record={data} />
  return (
    <>
      <BackLink />
      <PageHeader title="Contenu du site" />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="grid gap-6">
          <Skeleton className="h-64 w-full" />
          <Skeleton className="h-96 w-full" />
        </div>
      )}
    </>
  )
}

/** One content for those who may not write it: where it stands, and its text as readers will see it. */
const ReadOnlyContent = ({ record }: { record: ContentRecord }) => (
  <>
    <BackLink />
    <PageHeader title={<span className="break-words">{record.title}</span>} />
    <div className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.8125rem] text-ink-soft">
      <span>{CONTENT_KINDS[record.kind].label}</span>
      <ContentStatusBadges row={record} />
      <span>
        Enregistré le {formatDateTime(record.updatedAt)} par {record.updatedBy}
      </span>
      {record.status === 'published' && <PublicLink path={record.path} title={record.title} />}
    </div>
    <VersionView id={record.id} number={record.version} />
  </>
)

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

const contentKindOptions = Object.entries(CONTENT_KINDS).map(([value, { label }]) => ({ value, label }))

function ContentList() {
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

/** The kind decides where it is read and what is asked: it comes first. */
const NewContent = withAccess(content.create, () => {
  const { linkToNew } = useContentNavigation()
  return (
    <Dialog
      title="Nouveau contenu"
      description="Que voulez-vous écrire&nbsp;? Rien n’est enregistré avant votre premier brouillon."
      trigger={<Button icon={<Plus aria-hidden="true" />}>Nouveau contenu</Button>}
    >
      <ul className="grid gap-2 sm:grid-cols-2">
        {CREATABLE_CONTENT_KINDS.map((kind) => (
          <li key={kind}>
            <Link
              to={linkToNew(kind)}
              className="block h-full rounded-card border border-line p-4 transition-colors duration-150 hover:border-control hover:bg-page"
            >
              <span className="block font-medium">{CONTENT_KINDS[kind].label}</span>
              <span className="mt-0.5 block text-[0.8125rem] text-ink-soft">{CONTENT_KINDS[kind].what}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  )
})

const showFailure = (error: unknown) =>
  toast({ title: 'Action impossible', description: getErrorReason(error), variant: 'destructive' })

const ContentActions = withAccess(content.publish, ({ row }: { row: ContentRow }) => {
  const [asking, setAsking] = useState<'unpublish' | 'remove'>()
  const navigate = useNavigate()
  const { linkTo } = useContentNavigation()
  const publish = useAction(content.publish, [content.list])
  const unpublish = useAction(content.unpublish, [content.list])
  const remove = useAction(content.remove, [content.list])
  const params = { id: row.id }
  const waiting = row.status !== 'published' || row.hasChanges
  const publishNow = () =>
    publish
      .run({ params, body: { version: row.version, at: null } })
      .then(() => toast({ title: 'En ligne', description: row.title, variant: 'success' }), showFailure)
  return (
    <>
      <Menu
        trigger={
          <Button
            variant="quiet"
            size="small"
            aria-label={`Actions pour ${row.title}`}
            icon={<Ellipsis aria-hidden="true" />}
          >
            Actions
          </Button>
        }
      >
        <MenuItem onSelect={() => void navigate(linkTo(row.id))}>Ouvrir</MenuItem>
        {waiting && (
          <MenuItem onSelect={() => void publishNow()}>
            {row.status === 'published' ? 'Publier les modifications' : 'Publier maintenant'}
          </MenuItem>
        )}
        <MenuSeparator />
        {row.status === 'published' || row.status === 'scheduled' ? (
          <MenuItem tone="danger" onSelect={() => setAsking('unpublish')}>
            {row.status === 'published' ? 'Retirer du site' : 'Annuler la publication'}
          </MenuItem>
        ) : (
          <MenuItem tone="danger" onSelect={() => setAsking('remove')}>
            Supprimer
          </MenuItem>
        )}
      </Menu>
      <UnpublishConfirm
        row={row}
        open={asking === 'unpublish'}
        onClose={() => setAsking(undefined)}
        onConfirm={() => unpublish.run({ params, body: { version: row.version } })}
      />
      <Confirm
        open={asking === 'remove'}
        onOpenChange={() => setAsking(undefined)}
        title="Supprimer ce contenu&nbsp;?"
        description={`«\u00a0${row.title}\u00a0» et toutes ses versions disparaîtront. C’est définitif.`}
        action="Supprimer le contenu"
        onConfirm={() => remove.run({ params })}
      />
    </>
  )
})

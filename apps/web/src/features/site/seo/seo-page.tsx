import { useQuery } from '@tanstack/react-query'
import { type Redirect, type SeoRecord, seo } from '@voisol/contract/seo'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ExternalLink from 'lucide-react/icons/external-link'
import Plus from 'lucide-react/icons/plus'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import type { Column } from '../../../components/table.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { Can, useCan, withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDate, formatNumber } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { SeoPageForm } from './page-form.tsx'
import { SearchPreview, SharePreview } from './previews.tsx'

type Row = SeoRecord & { id: string }

const STATE_OPTIONS = [
  { value: 'warning', label: 'À revoir' },
  { value: 'record', label: 'Personnalisées' },
  { value: 'own', label: 'D’origine' },
]

const WarningList = ({ warnings }: { warnings: string[] }) =>
  warnings.length === 0 ? (
    <span className="text-ink-soft">–</span>
  ) : (
    <ul className="grid min-w-52 gap-1 text-[0.8125rem]">
      {warnings.map((warning) => (
        <li key={warning} className="flex items-start gap-1.5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-warning" />
          {warning}
        </li>
      ))}
    </ul>
  )

const pageListColumns: Column<Row>[] = [
  {
    header: 'Adresse',
    card: 'title',
    sort: 'path',
    cell: ({ path }) => <span className="block min-w-44 font-medium break-words">{path}</span>,
  },
  {
    header: 'Titre et description servis',
    card: 'secondary',
    sort: 'title',
    cell: ({ served }) => (
      <span className="block min-w-64 max-w-xl">
        <span className="block">{served.title}</span>
        <span className="line-clamp-2 text-[0.8125rem] text-ink-soft">{served.description}</span>
      </span>
    ),
  },
  {
    header: 'Origine',
    card: 'primary',
    cell: ({ hasRecord }) =>
      hasRecord ? <Badge tone="info">Personnalisée</Badge> : <Badge tone="neutral">D’origine</Badge>,
  },
  {
    header: 'À revoir',
    card: 'secondary',
    sort: 'warnings',
    cell: ({ warnings }) => <WarningList warnings={warnings} />,
  },
]

function SeoPageList() {
  const list = useList(seo.list)
  const verb = useCan()(seo.save) ? 'Modifier' : 'Voir'
  const [search, setSearch] = useSearchParams()
  const open = (path: string | null) =>
    setSearch(
      (old) => {
        if (path) old.set('adresse', path)
        else old.delete('adresse')
        return old
      },
      { preventScrollReset: true },
    )
  const openPath = search.get('adresse')
  return (
    <>
      <ListScreen
        list={{ ...list, items: list.items.map((record) => ({ ...record, id: record.path })) }}
        label="Pages du site"
        search="Rechercher une adresse, un titre, un mot"
        columns={pageListColumns}
        filters={
          <FilterChips
            label="État"
            options={STATE_OPTIONS}
            value={list.filters.state}
            onChange={(state) => list.setFilters({ state })}
          />
        }
        rowActions={({ path }) => (
          <Button variant="quiet" size="small" aria-label={`${verb} ${path}`} onClick={() => open(path)}>
            {verb}
          </Button>
        )}
        empty={
          <EmptyState
            title="Aucune page"
            why="Les pages du site apparaîtront ici, avec le titre et la description que lisent les moteurs de recherche."
            because="comes-by-itself"
          />
        }
      />
      {openPath && <SeoPageDialog path={openPath} onClose={() => open(null)} />}
    </>
  )
}

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
const SeoPageDialog = ({ path, onClose }: { path: string; onClose: () => void }) => (
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

const columns: Column<Redirect>[] = [
  {
    header: 'Ancienne adresse',
    card: 'title',
    sort: 'from',
    cell: ({ from }) => <span className="block min-w-44 font-medium break-words">{from}</span>,
  },
  {
    header: 'Nouvelle adresse',
    card: 'secondary',
    sort: 'to',
    cell: ({ to }) => (
      <span className="inline-flex min-w-44 items-center gap-2 break-words">
        <ArrowRight aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        {to}
      </span>
    ),
  },
  { header: 'Nature', card: 'primary', cell: ({ permanent }) => (permanent ? 'Définitive' : 'Provisoire') },
  { header: 'Passages', card: 'primary', sort: 'hits', align: 'end', cell: ({ hits }) => formatNumber(hits) },
  {
    header: 'Dernier passage',
    card: 'primary',
    cell: ({ lastHitAt }) => (lastHitAt ? formatDate(lastHitAt) : 'Jamais'),
  },
  { header: 'Ajoutée le', card: 'none', sort: 'createdAt', cell: ({ createdAt }) => formatDate(createdAt) },
]

const RemoveRedirectButton = withAccess(seo.removeRedirect, ({ redirect }: { redirect: Redirect }) => {
  const remove = useAction(seo.removeRedirect, [seo.redirects])
  return (
    <Confirm
      trigger={
        <Button variant="quiet" size="small" aria-label={`Supprimer la redirection de ${redirect.from}`}>
          Supprimer
        </Button>
      }
      title="Supprimer cette redirection&nbsp;?"
      description={`Les visiteurs de ${redirect.from} ne seront plus menés à ${redirect.to}.`}
      action="Supprimer la redirection"
      onConfirm={() => remove.run({ params: { id: redirect.id } })}
    />
  )
})

/** Addresses that moved: whoever follows an old link arrives. */
function RedirectList() {
  const list = useList(seo.redirects)
  return (
    <ListScreen
      list={list}
      label="Redirections"
      search="Rechercher une adresse"
      columns={columns}
      actions={(list.total > 0 || list.filters.q) && <AddRedirectButton />}
      rowActions={(redirect) => <RemoveRedirectButton redirect={redirect} />}
      empty={
        <EmptyState
          title="Aucune redirection"
          why="Quand une page change d’adresse, une redirection mène les anciens liens à la nouvelle."
          action={<AddRedirectButton />}
        />
      }
    />
  )
}

function AddRedirectForm({ onDone }: { onDone: () => void }) {
  const add = useAction(seo.addRedirect, [seo.redirects])
  const form = useSchemaForm(seo.addRedirect.body, {
    defaults: { from: '', to: '', permanent: true },
    save: async (body) => {
      await add.run({ body })
      toast({ title: 'Redirection ajoutée', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="from" label="Ancienne adresse" placeholder="/ancienne-page" autoComplete="off" />
      <Field form={form} name="to" label="Nouvelle adresse" placeholder="/pricing" autoComplete="off" />
      <Checkbox
        {...form.register('permanent')}
        label="Définitive"
        hint="Les moteurs de recherche remplacent l’ancienne adresse par la nouvelle."
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Ajouter la redirection
      </Button>
    </form>
  )
}

const AddRedirectButton = withAccess(seo.addRedirect, () => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Ajouter une redirection"
      description="L’ancienne adresse ne doit pas être celle d’une page, et la nouvelle doit en être une."
      width="narrow"
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Plus aria-hidden="true" />}>Ajouter une redirection</Button>}
    >
      <AddRedirectForm onDone={() => setOpen(false)} />
    </Dialog>
  )
})

/** The file that search engines read is the truth: its own addresses are counted. */
async function countIndexedPages(): Promise<number> {
  const answer = await fetch('/sitemap.xml')
  const text = answer.ok ? await answer.text() : ''
  if (!text.includes('<urlset')) throw new Error('no sitemap')
  return text.split('<loc>').length - 1
}

const FileLink = ({ href, children }: { href: string; children: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="relative inline-flex min-h-6 items-center gap-1.5 text-link"
  >
    {children}
    <ExternalLink aria-hidden="true" className="size-3.5" />
    <span className="sr-only"> (nouvel onglet)</span>
  </a>
)

function SiteMap() {
  const { data, error, refetch } = useQuery({ queryKey: ['/sitemap.xml'], queryFn: countIndexedPages, staleTime: 0 })
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Card title="Plan du site" description="Les pages que les moteurs de recherche sont invités à lire.">
        {error ? (
          <ErrorState title="Le plan n’a pas pu être lu" advice="Réessayez dans un instant." onRetry={refetch} />
        ) : (
          <>
            <p className="tabular mb-3 text-2xl font-semibold">
              {data === undefined ? (
                <Skeleton className="h-8 w-40" />
              ) : (
                formatCount(data, 'page indexée', 'pages indexées')
              )}
            </p>
            <FileLink href="/sitemap.xml">/sitemap.xml</FileLink>
          </>
        )}
      </Card>
      <Card title="Consignes aux robots" description="Ce qui ne doit pas être parcouru, et où se trouve le plan.">
        <FileLink href="/robots.txt">/robots.txt</FileLink>
      </Card>
    </div>
  )
}

const TABS = [
  { value: 'pages', label: 'Pages', content: <SeoPageList /> },
  { value: 'redirections', label: 'Redirections', content: <RedirectList /> },
  { value: 'plan', label: 'Plan du site', content: <SiteMap /> },
]

/** What search engines and shared links show of the public site. */
export default function SeoPage() {
  const [search, setSearch] = useSearchParams()
  const tabParam = search.get('onglet')
  const tab = TABS.find(({ value }) => value === tabParam)?.value ?? 'pages'
  return (
    <>
      <PageHeader
        title="Référencement"
        description="Ce que les moteurs de recherche et les liens partagés montrent de chaque page du site. Un changement est en ligne aussitôt."
      />
      {/* Filters belong to their tab: another one starts without them. */}
      <Tabs label="Référencement" tabs={TABS} value={tab} onChange={(onglet) => setSearch({ onglet })} />
    </>
  )
}

import { type Redirect, seo } from '@voisol/contract/seo'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { withAccess } from '../../lib/can.tsx'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useAction, useList } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { AddRedirectButton } from './add-redirect.tsx'

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
export function RedirectList() {
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

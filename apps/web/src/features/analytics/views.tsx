import { useQuery } from '@tanstack/react-query'
import { analytics, type SavedView } from '@voisol/contract/analytics'
import BookmarkPlus from 'lucide-react/icons/bookmark-plus'
import Trash from 'lucide-react/icons/trash-2'
import { Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { Can, withAccess } from '../../lib/can.tsx'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Link } from '../../ui/link.tsx'

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

const RemoveViewButton = withAccess(analytics.removeView, function RemoveViewButton({ view }: { view: SavedView }) {
  const remove = useAction(analytics.removeView, [analytics.views])
  return (
    <Confirm
      title={`Retirer la vue «\u00a0${view.name}\u00a0»`}
      description="Elle disparaît de la liste, pour vous et pour qui la voyait. Rien d’autre ne change."
      action="Retirer la vue"
      onConfirm={async () => {
        await remove.run({ params: { id: view.id } })
        toast({ title: 'Vue retirée', description: view.name, variant: 'success' })
      }}
      trigger={<IconButton label={`Retirer la vue ${view.name}`} icon={<Trash aria-hidden="true" />} />}
    />
  )
})

const ViewChip = ({ view, here }: { view: SavedView; here: string }) => (
  <li className="flex items-center gap-1 rounded-full border border-line bg-card py-0.5 pr-1 pl-3">
    <Link
      to={`${here}?${view.search}`}
      className="text-link"
      title={view.shared ? `Partagée par ${view.mine ? 'vous' : view.author}` : 'Pour vous seul'}
    >
      {view.name}
    </Link>
    {view.shared && <span className="text-[0.8125rem] text-ink-soft">partagée</span>}
    {view.mine && <RemoveViewButton view={view} />}
  </li>
)

/** What is looked at often, a click away; a view is an address under a name. */
export function SavedViews() {
  const { pathname, search } = useLocation()
  const [open, setOpen] = useState(false)
  const { data } = useQuery(query(analytics.views, {}))
  const items = data?.items ?? []
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-3">
      {items.length > 0 && (
        <ul aria-label="Vues enregistrées" className="flex flex-wrap gap-2">
          {items.map((view) => (
            <ViewChip key={view.id} view={view} here={pathname} />
          ))}
        </ul>
      )}
      <Can call={analytics.saveView}>
        <Button
          variant="secondary"
          size="small"
          icon={<BookmarkPlus aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          Enregistrer cette vue
        </Button>
      </Can>
      {open && (
        <Suspense>
          <ViewDialog search={search.replace(/^\?/, '')} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

import { type ContentRow, content } from '@voisol/contract/content'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { withAccess } from '../../lib/can.tsx'
import { useAction } from '../../lib/queries.ts'
import { getErrorReason } from '../../lib/reason.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useContentNavigation } from './address.ts'
import { UnpublishConfirm } from './unpublish.tsx'

const showFailure = (error: unknown) =>
  toast({ title: 'Action impossible', description: getErrorReason(error), variant: 'destructive' })

export const ContentActions = withAccess(content.publish, ({ row }: { row: ContentRow }) => {
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

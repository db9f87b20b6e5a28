import Archive from 'lucide-react/icons/archive'
import CheckCheck from 'lucide-react/icons/check-check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ArchiveOldDialog } from './archive-old.tsx'
import type { NotificationScreenState } from './use-screen.ts'

/** What is done to many at once. */
export function NotificationBulkActions({ list, actions }: NotificationScreenState) {
  const [openDialog, setOpenDialog] = useState<'read' | 'old' | null>(null)
  const close = () => setOpenDialog(null)
  const unread = list.data?.unreadCount ?? 0
  return (
    <>
      {unread > 0 && (
        <Button variant="secondary" icon={<CheckCheck aria-hidden="true" />} onClick={() => void actions.readAll()}>
          Tout marquer comme lu
        </Button>
      )}
      <Menu
        trigger={
          <Button variant="secondary" icon={<Archive aria-hidden="true" />}>
            Archiver
            <ChevronDown aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpenDialog('read')}>Les notifications lues</MenuItem>
        <MenuItem onSelect={() => setOpenDialog('old')}>Les anciennes notifications…</MenuItem>
      </Menu>
      <Confirm
        title={'Archiver les notifications lues\u00a0?'}
        description="Elles quittent la liste et restent sous le filtre «&nbsp;Archivées&nbsp;»."
        action="Archiver les notifications lues"
        tone="primary"
        open={openDialog === 'read'}
        onOpenChange={close}
        onConfirm={actions.archiveRead}
      />
      <ArchiveOldDialog open={openDialog === 'old'} onOpenChange={close} actions={actions} />
    </>
  )
}

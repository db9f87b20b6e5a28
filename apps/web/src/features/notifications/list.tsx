import { plural } from '../../lib/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { HeaderActions } from './header-actions.tsx'
import { Preferences } from './preferences.tsx'
import { NotificationRows } from './rows.tsx'
import { KindSelects, NotificationSearch, ViewChips } from './toolbar.tsx'
import { useNotificationScreen } from './use-screen.ts'

const standing = (unread: number | undefined) =>
  unread === undefined
    ? 'Ce qui s’est passé et ce qui demande votre attention.'
    : unread === 0
      ? 'Vous avez tout lu.'
      : `${plural(unread, 'notification non lue', 'notifications non lues')}.`

export default function Notifications() {
  const screen = useNotificationScreen()
  const { filters, setFilters, list } = screen
  const content = (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <ViewChips {...screen} />
        <KindSelects {...screen} />
        <NotificationSearch {...screen} />
      </div>
      <NotificationRows {...screen} />
    </div>
  )
  return (
    <>
      <PageHeader
        title="Notifications"
        description={standing(list.data?.unreadCount)}
        actions={filters.tab === 'list' && <HeaderActions {...screen} />}
      />
      <Tabs
        label="Notifications"
        value={filters.tab}
        onChange={(tab) => setFilters({ tab: tab === 'preferences' ? 'preferences' : 'list' })}
        tabs={[
          { value: 'list', label: 'Liste', content },
          { value: 'preferences', label: 'Préférences', content: <Preferences /> },
        ]}
      />
    </>
  )
}

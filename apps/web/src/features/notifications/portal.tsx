import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { HeaderActions } from './header-actions.tsx'
import { Preferences } from './preferences.tsx'
import { NotificationRows } from './rows.tsx'
import { NotificationSearch, ViewChips } from './toolbar.tsx'
import { useNotificationScreen } from './use-screen.ts'

const sentence = (unread: number | undefined) =>
  unread === undefined
    ? 'Ce qui vous concerne, du plus récent au plus ancien.'
    : unread === 0
      ? 'Vous êtes à jour\u00a0: tout est lu.'
      : unread === 1
        ? 'Une notification vous attend.'
        : `${unread} notifications vous attendent.`

export default function PortalNotifications() {
  const screen = useNotificationScreen()
  const { filters, setFilters, list } = screen
  const content = (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <ViewChips {...screen} />
        <NotificationSearch {...screen} />
      </div>
      <NotificationRows {...screen} />
    </div>
  )
  return (
    <>
      <PageHeader
        title="Mes notifications"
        description={sentence(list.data?.unreadCount)}
        actions={filters.tab === 'list' && <HeaderActions {...screen} />}
      />
      <Tabs
        label="Mes notifications"
        value={filters.tab}
        onChange={(tab) => setFilters({ tab: tab === 'preferences' ? 'preferences' : 'list' })}
        tabs={[
          { value: 'list', label: 'Messages', content },
          { value: 'preferences', label: 'Préférences', content: <Preferences /> },
        ]}
      />
    </>
  )
}

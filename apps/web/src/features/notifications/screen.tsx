import type { ReactNode } from 'react'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { NotificationBulkActions } from './header-actions.tsx'
import { NotificationPreferences } from './preferences.tsx'
import { NotificationRows } from './rows.tsx'
import { NotificationSearch, ViewChips } from './toolbar.tsx'
import { useNotificationScreen } from './use-screen.ts'

type ScreenState = ReturnType<typeof useNotificationScreen>
type NotificationScreenProps = {
  title: string
  list: string
  sentence: (unread: number | undefined) => string
  /** More filters, where there is room for them. */
  more?: (screen: ScreenState) => ReactNode
}

/** The same inbox in the back office and in the portal; only the words and the filters differ. */
export function NotificationScreen({ title, list: label, sentence, more }: NotificationScreenProps) {
  const screen = useNotificationScreen()
  const { filters, setFilters, list } = screen
  const content = (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <ViewChips {...screen} />
        {more?.(screen)}
        <NotificationSearch {...screen} />
      </div>
      <NotificationRows {...screen} />
    </div>
  )
  return (
    <>
      <PageHeader
        title={title}
        description={sentence(list.data?.unreadCount)}
        actions={filters.tab === 'list' && <NotificationBulkActions {...screen} />}
      />
      <Tabs
        label={title}
        value={filters.tab}
        onChange={(tab) => setFilters({ tab: tab === 'preferences' ? 'preferences' : 'list' })}
        tabs={[
          { value: 'list', label, content },
          { value: 'preferences', label: 'Préférences', content: <NotificationPreferences /> },
        ]}
      />
    </>
  )
}

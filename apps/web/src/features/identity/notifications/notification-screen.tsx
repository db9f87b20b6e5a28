import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  NotificationCategory,
  NotificationChannel,
  type NotificationPreference,
  NotificationType,
  notifications,
} from '@voisol/contract/notifications'
import Archive from 'lucide-react/icons/archive'
import CheckCheck from 'lucide-react/icons/check-check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips, SearchBox } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pagination } from '../../../components/pagination.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ArchiveOldDialog } from './archive-notifications.tsx'
import {
  hasActiveFilters,
  NOTIFICATIONS_PAGE_SIZE,
  type NotificationFilters,
  parseNotificationFilters,
  withFilterChange,
} from './filters.ts'
import {
  NOTIFICATION_CATEGORY_LABELS,
  NOTIFICATION_CHANNEL_LABELS,
  NOTIFICATION_TYPE_LABELS,
  NotificationItem,
} from './notification-item.tsx'
import { buildNotificationsQuery, useNotificationActions } from './queries.ts'

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

const VIEW_OPTIONS = [
  { value: 'all', label: 'Toutes' },
  { value: 'unread', label: 'Non lues' },
  { value: 'archived', label: 'Archivées' },
] as const

type Props = Pick<NotificationScreenState, 'filters' | 'setFilters'>

const ViewChips = ({ filters, setFilters }: Props) => (
  <FilterChips
    label="État"
    options={[...VIEW_OPTIONS]}
    value={filters.view}
    onChange={(value) => setFilters({ view: VIEW_OPTIONS.find((view) => view.value === value)?.value ?? 'all' })}
  />
)

const NotificationSearch = ({ filters, setFilters }: Props) => (
  <SearchBox
    label="Rechercher dans les notifications"
    value={filters.q}
    onSearch={(q) => setFilters({ q })}
    className="min-w-0 flex-1 basis-60"
  />
)

export const KindSelects = ({ filters, setFilters }: Props) => (
  <>
    <Select
      aria-label="Catégorie"
      className="min-w-0 flex-1 basis-36 sm:max-w-52"
      value={filters.category ?? ''}
      onChange={(event) => setFilters({ category: NotificationCategory.safeParse(event.target.value).data })}
      options={[
        { value: '', label: 'Toutes catégories' },
        ...NotificationCategory.options.map((value) => ({ value, label: NOTIFICATION_CATEGORY_LABELS[value].label })),
      ]}
    />
    <Select
      aria-label="Type"
      className="min-w-0 flex-1 basis-32 sm:max-w-44"
      value={filters.type ?? ''}
      onChange={(event) => setFilters({ type: NotificationType.safeParse(event.target.value).data })}
      options={[
        { value: '', label: 'Tous types' },
        ...NotificationType.options.map((value) => ({ value, label: NOTIFICATION_TYPE_LABELS[value].label })),
      ]}
    />
  </>
)

/** What both screens work with: filters in the address, the page they give, and what can be done. */
function useNotificationScreen() {
  const [search, setSearch] = useSearchParams()
  const filters = parseNotificationFilters(search)
  // From the address itself: two quick changes would otherwise both start from what was last drawn, and lose one.
  const setFilters = (change: Partial<NotificationFilters>) =>
    setSearch(withFilterChange(new URLSearchParams(location.search), change))
  const list = useQuery({ ...buildNotificationsQuery(filters), placeholderData: keepPreviousData })
  return { filters, setFilters, list, actions: useNotificationActions() }
}
type NotificationScreenState = ReturnType<typeof useNotificationScreen>

const ListLoading = () => (
  <div role="status" className="divide-y divide-line">
    <span className="sr-only">Chargement des notifications…</span>
    {[0, 1, 2, 3, 4].map((row) => (
      <div key={row} className="flex gap-4 p-5">
        <Skeleton className="size-9 rounded-full" />
        <div className="flex-1 space-y-2">
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="h-4 w-3/4" />
        </div>
      </div>
    ))}
  </div>
)

const DEFAULT_FILTERS: Partial<NotificationFilters> = { view: 'all', category: undefined, type: undefined, q: '' }

function NoNotifications({ filters, setFilters }: Pick<NotificationScreenState, 'filters' | 'setFilters'>) {
  if (!hasActiveFilters(filters))
    return <EmptyState title="Tout est calme" why="Ce qui demande votre attention apparaîtra ici." because="all-well" />
  return (
    <EmptyState
      title="Aucune notification ne correspond"
      why="Rien ne correspond à ces filtres pour le moment."
      action={
        <Button variant="secondary" onClick={() => setFilters(DEFAULT_FILTERS)}>
          Effacer les filtres
        </Button>
      }
    />
  )
}

function NotificationItems({ list, filters, setFilters, actions }: NotificationScreenState) {
  if (list.error && !list.data) return <ErrorState error={list.error} onRetry={list.refetch} />
  if (!list.data) return <ListLoading />
  if (!list.data.notifications.length) return <NoNotifications filters={filters} setFilters={setFilters} />
  return (
    <ul className="divide-y divide-line">
      {list.data.notifications.map((item) => (
        <NotificationItem key={item.id} item={item} actions={actions} />
      ))}
    </ul>
  )
}

/** The page of notifications the filters give, in each of its states. */
function NotificationRows(screen: NotificationScreenState) {
  const { filters, setFilters } = screen
  const total = screen.list.data?.total ?? 0
  return (
    <div className="grid gap-4">
      <div aria-busy={screen.list.isFetching} className={cx(cardClass, 'overflow-hidden')}>
        <NotificationItems {...screen} />
      </div>
      {(total > NOTIFICATIONS_PAGE_SIZE || filters.page > 1) && (
        <Pagination
          label="notifications"
          page={filters.page}
          size={NOTIFICATIONS_PAGE_SIZE}
          total={total}
          onPage={(page) => setFilters({ page })}
        />
      )}
    </div>
  )
}

/** What is done to many at once. */
function NotificationBulkActions({ list, actions }: NotificationScreenState) {
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

type Preference = z.output<typeof NotificationPreference>
type PreferenceKey = Omit<Preference, 'enabled'>

/** An alert about the account is always shown. */
const isLocked = ({ category, channel }: PreferenceKey) => category === 'security' && channel === 'app'

function useSavePreference() {
  const { run, isPending, variables } = useAction(notifications.savePreferences, [notifications.preferences])
  const save = (item: Preference) =>
    run({ body: { items: [item] } }).catch((error) =>
      toast({
        title: 'La préférence n’a pas été enregistrée',
        description: explainError(error),
        variant: 'destructive',
      }),
    )
  /** What has just been pressed shows at once, while it is being saved. */
  return { save, pending: isPending ? variables?.input.body.items : undefined }
}

const isEnabled = (items: Preference[], searched: PreferenceKey) =>
  items.find((preference) => preference.category === searched.category && preference.channel === searched.channel)
    ?.enabled ?? true

function PreferencesTable({ items }: { items: Preference[] }) {
  const { save, pending } = useSavePreference()
  const currentItems = [...(pending ?? []), ...items]
  return (
    <table className="w-full text-left text-body">
      <caption className="sr-only">Préférences de notification par catégorie et par canal</caption>
      <thead className="border-b border-line text-[0.8125rem] text-ink-soft">
        <tr>
          <th scope="col" className="p-4 font-medium sm:px-5">
            Catégorie
          </th>
          {NotificationChannel.options.map((channel) => (
            <th key={channel} scope="col" className="w-24 p-2 text-center font-medium sm:w-40">
              {NOTIFICATION_CHANNEL_LABELS[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {NotificationCategory.options.map((category) => (
          <tr key={category}>
            <th scope="row" className="p-4 font-normal sm:px-5">
              <span className="block font-medium">{NOTIFICATION_CATEGORY_LABELS[category].label}</span>
              <span className="block text-[0.8125rem] text-ink-soft">
                {NOTIFICATION_CATEGORY_LABELS[category].about}
              </span>
            </th>
            {NotificationChannel.options.map((channel) => (
              <td key={channel} className="p-2">
                <div className="flex justify-center">
                  <Switch
                    label={
                      <span className="sr-only">{`${NOTIFICATION_CATEGORY_LABELS[category].label}, ${NOTIFICATION_CHANNEL_LABELS[channel]}`}</span>
                    }
                    checked={isEnabled(currentItems, { category, channel })}
                    disabled={isLocked({ category, channel })}
                    onChange={(event) => void save({ category, channel, enabled: event.target.checked })}
                  />
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function NotificationPreferences() {
  const { data, error, refetch } = useQuery(query(notifications.preferences, {}))
  return (
    <div className="max-w-3xl space-y-4">
      <p className="text-body text-ink-soft">
        Un changement prend effet aussitôt. Par e-mail partent les deux rendez-vous en bas de la liste, et sinon ce qui
        ne peut pas attendre&nbsp;: la sécurité, et ce qui est important ou critique. Les alertes de sécurité
        s’affichent toujours dans l’application.
      </p>
      <div className={cx(cardClass, 'overflow-hidden')}>
        {error && !data ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data ? (
          <PreferencesTable items={data.items} />
        ) : (
          <div className="space-y-3 p-5">
            {NotificationCategory.options.map((category) => (
              <Skeleton key={category} className="h-10 w-full" />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

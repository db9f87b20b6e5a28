import { NotificationCategory, NotificationType } from '@voisol/contract/notifications'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Select } from '../../ui/select.tsx'
import { NOTIFICATION_CATEGORY_LABELS, NOTIFICATION_TYPE_LABELS } from './labels.ts'
import type { NotificationScreenState } from './use-screen.ts'

const VIEW_OPTIONS = [
  { value: 'all', label: 'Toutes' },
  { value: 'unread', label: 'Non lues' },
  { value: 'archived', label: 'Archivées' },
] as const

type Props = Pick<NotificationScreenState, 'filters' | 'setFilters'>

export const ViewChips = ({ filters, setFilters }: Props) => (
  <FilterChips
    label="État"
    options={[...VIEW_OPTIONS]}
    value={filters.view}
    onChange={(value) => setFilters({ view: VIEW_OPTIONS.find((view) => view.value === value)?.value ?? 'all' })}
  />
)

export const NotificationSearch = ({ filters, setFilters }: Props) => (
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

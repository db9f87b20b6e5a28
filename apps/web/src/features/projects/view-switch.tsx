import Kanban from 'lucide-react/icons/kanban'
import List from 'lucide-react/icons/list'
import MapIcon from 'lucide-react/icons/map'
import { useSearchParams } from 'react-router'
import { cx } from '../../ui/cx.ts'

const VIEW_OPTIONS = [
  { value: 'liste', label: 'Liste', Icon: List },
  { value: 'kanban', label: 'Kanban', Icon: Kanban },
  { value: 'carte', label: 'Carte', Icon: MapIcon },
] as const
export type ProjectListView = (typeof VIEW_OPTIONS)[number]['value']

export const toProjectListView = (asked: string | null): ProjectListView =>
  VIEW_OPTIONS.find(({ value }) => value === asked)?.value ?? 'liste'

/** Three ways to see the same projects; the one in use is in the address. */
export function ViewSwitch({ view }: { view: ProjectListView }) {
  const [, setSearch] = useSearchParams()
  const open = (next: ProjectListView) =>
    setSearch((old) => {
      old.delete('page')
      if (next === 'liste') old.delete('vue')
      else old.set('vue', next)
      return old
    })
  return (
    <fieldset data-print="hide" className="inline-flex w-fit rounded-control border border-line-strong bg-card p-0.5">
      <legend className="sr-only">Présentation</legend>
      {VIEW_OPTIONS.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === view}
          onClick={() => open(value)}
          className={cx(
            'inline-flex min-h-8 items-center gap-2 rounded-[calc(var(--radius-control)-3px)] px-3 text-[0.8125rem] font-medium transition-colors duration-150',
            value === view ? 'bg-primary-soft text-primary-ink' : 'text-ink-soft hover:text-ink',
          )}
        >
          <Icon aria-hidden="true" className="size-4" />
          {label}
        </button>
      ))}
    </fieldset>
  )
}

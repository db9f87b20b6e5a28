import type { ListedEntry } from '@voisol/contract/audit'
import { Link } from '../../ui/link.tsx'
import { getObjectPath } from './object-paths.ts'

type Props = { entry: Pick<ListedEntry, 'target' | 'object'>; withId?: boolean }

/** What an entry is about, by its name; the id it was noted under stands beneath it where one looks closely. */
export function AuditObject({ entry: { target, object }, withId = false }: Props) {
  if (!object) return <span className="break-words">{target || '—'}</span>
  const to = getObjectPath(object.kind, object.id)
  return (
    <span className="block min-w-40">
      {to ? (
        <Link to={to} className="text-link break-words">
          {object.name}
        </Link>
      ) : (
        <span className="block break-words">{object.name}</span>
      )}
      {withId && <code className="block break-all text-[0.75rem] text-ink-soft">{target}</code>}
    </span>
  )
}

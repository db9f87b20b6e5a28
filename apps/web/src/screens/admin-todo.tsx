import { useQuery } from '@tanstack/react-query'
import { apiKeys } from '@voisol/contract/api-keys'
import { backups } from '@voisol/contract/backups'
import { connections } from '@voisol/contract/connections'
import { flows } from '@voisol/contract/flows'
import { health } from '@voisol/contract/health'
import { webhooks } from '@voisol/contract/webhooks'
import { useCan } from '../lib/can.tsx'
import { query } from '../lib/queries.ts'
import { Card } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Link } from '../ui/link.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import {
  buildAlertTodos,
  buildConnectionTodos,
  buildCopyTodos,
  buildDeadLetterTodos,
  buildKeyTodos,
  buildWebhookTodos,
  type TodoItem,
} from './admin-hands.ts'

const TodoList = ({ hands }: { hands: TodoItem[] }) =>
  hands.length === 0 ? (
    <p className="text-body text-ink-soft">Rien ne demande votre attention.</p>
  ) : (
    <ul className="grid divide-y divide-line">
      {hands.map(({ key, text, to }) => (
        <li key={key} className="flex items-start justify-between gap-4 py-2.5 text-body">
          <span className="min-w-0">{text}</span>
          <Link to={to} className="shrink-0 text-link">
            Y aller
          </Link>
        </li>
      ))}
    </ul>
  )

const FIRST_PAGE = { query: { size: 100 } }

/** Each by the right of its own: what its reader may not see is not asked for. */
function useAdminTodos() {
  const can = useCan()
  const state = useQuery({ ...query(health.get, {}), enabled: can(health.get) })
  const copies = useQuery({ ...query(backups.installation, {}), enabled: can(backups.installation) })
  const keys = useQuery({ ...query(apiKeys.list, FIRST_PAGE), enabled: can(apiKeys.list) })
  const hooks = useQuery({ ...query(webhooks.list, FIRST_PAGE), enabled: can(webhooks.list) })
  const lines = useQuery({ ...query(connections.list, FIRST_PAGE), enabled: can(connections.list) })
  const dead = useQuery({ ...query(flows.dead, { query: { size: 1 } }), enabled: can(flows.dead) })
  const todos = [
    ...(state.data ? buildAlertTodos(state.data) : []),
    ...(copies.data ? buildCopyTodos(copies.data) : []),
    ...buildKeyTodos(keys.data?.items ?? []),
    ...buildWebhookTodos(hooks.data?.items ?? []),
    ...buildConnectionTodos(lines.data?.items ?? []),
    ...buildDeadLetterTodos(dead.data?.total ?? 0),
  ]
  return { hands: todos, asked: [state, copies, keys, hooks, lines, dead] }
}

/** What needs a hand: of the installation for whoever keeps it, of the company for its administrators. */
export function AdminTodo() {
  const { hands, asked } = useAdminTodos()
  // What could not be read is not what needs no hand.
  const failed = asked.filter(({ error }) => error)
  const retry = () => Promise.all(failed.map(({ refetch }) => refetch()))
  if (!failed.length && asked.some(({ isLoading }) => isLoading)) return <Skeleton className="mb-6 h-28 w-full" />
  return (
    <Card title="À faire" className="mb-6">
      {failed[0]?.error && (
        <ErrorState
          error={failed[0].error}
          title="Ce qui demande une main n’a pas pu être lu en entier"
          onRetry={retry}
        />
      )}
      {(hands.length > 0 || !failed.length) && <TodoList hands={hands} />}
    </Card>
  )
}

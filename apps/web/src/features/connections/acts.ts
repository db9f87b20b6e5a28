import { type Connection, connections } from '@voisol/contract/connections'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { isAutomatic } from './words.ts'

const notifyOutcome = (work: Promise<unknown>, title: string) =>
  work.then(
    () => void toast({ title, variant: 'success' }),
    (error: unknown) => void toast({ title: 'Non effectué', description: explainError(error), variant: 'destructive' }),
  )

/** What can be done with a connection as it is now; for those who may change it. One follows what one has launched. */
export function useConnectionActions(connection: Connection) {
  const start = useAction(connections.start, [connections.list, connections.runs])
  const move = useAction(connections.move, [connections.list])
  const params = { id: connection.id }
  const active = connection.state === 'active'
  const run = {
    label: 'Lancer maintenant',
    follow: true,
    busy: start.isPending,
    go: () => notifyOutcome(start.run({ params }), 'Le passage est lancé'),
  }
  const pause = {
    label: 'Mettre en pause',
    follow: false,
    busy: move.isPending,
    go: () => notifyOutcome(move.run({ params, body: { state: 'paused' } }), 'Connexion en pause'),
  }
  const resume = {
    label: 'Reprendre',
    follow: false,
    busy: move.isPending,
    go: () => notifyOutcome(move.run({ params, body: { state: 'active' } }), 'Connexion reprise'),
  }
  // A feed lives and ends with its token.
  if (connection.can.includes('feed')) return []
  if (!active) return [resume]
  return isAutomatic(connection) ? [run, pause] : [pause]
}

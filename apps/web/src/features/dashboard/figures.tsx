import { useQuery } from '@tanstack/react-query'
import { users } from '@voisol/contract/users'
import { number } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Tile } from '../../ui/tile.tsx'

const useCount = (filter: { role?: 'admin' | 'client'; status?: 'active' | 'invited' }) => {
  const { data } = useQuery(query(users.list, { query: { ...filter, size: 1 } }))
  return data ? number(data.total, 0) : '…'
}

/** Who the organisation is made of. */
export function Figures() {
  const admins = useCount({ role: 'admin', status: 'active' })
  const clients = useCount({ role: 'client', status: 'active' })
  const invited = useCount({ status: 'invited' })
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Tile label="Administrateurs actifs" figure={admins} />
      <Tile label="Clients actifs" figure={clients} />
      <Tile label="Invitations en attente" figure={invited} />
    </div>
  )
}

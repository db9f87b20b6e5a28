import { useQuery } from '@tanstack/react-query'
import { type Role, roles } from '@voisol/contract/roles'
import { useCan } from '../../lib/can.tsx'
import { formatCount } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { filterVisiblePermissions } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RoleActions } from './actions.tsx'

const PeopleLink = ({ role: { id, people } }: { role: Role }) =>
  people > 0 ? (
    <Link to={`?role=${id}`} className="text-link">
      {formatCount(people, 'personne')}
    </Link>
  ) : (
    formatCount(people, 'personne')
  )

function RoleRow({ role }: { role: Role }) {
  const rights = filterVisiblePermissions(role.permissions, useUser().permissions)
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 py-3 pr-3 pl-5">
      <div className="min-w-0 flex-1 basis-72 text-body">
        <h3 className="font-medium break-words">{role.name}</h3>
        {role.purpose && <p className="text-[0.8125rem] text-ink-soft">{role.purpose}</p>}
      </div>
      <p className="tabular flex min-w-0 flex-1 basis-44 gap-x-6 text-body whitespace-nowrap text-ink-soft sm:w-56 sm:flex-none">
        <span className="w-20 sm:w-24">
          {role.id === 'client' ? 'Le portail' : formatCount(rights.length, 'droit')}
        </span>
        <span>
          <PeopleLink role={role} />
        </span>
      </p>
      <RoleActions role={role} />
    </li>
  )
}

function RoleGroup({ id, title, items, none }: { id: string; title: string; items: Role[]; none?: string }) {
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="text-base font-semibold tracking-[-0.01em]">
        {title}
      </h2>
      {items.length > 0 ? (
        <ul className={cx(cardClass, 'divide-y divide-line')}>
          {items.map((role) => (
            <RoleRow key={role.id} role={role} />
          ))}
        </ul>
      ) : (
        <p className="prose-width text-body text-ink-soft">{none}</p>
      )}
    </section>
  )
}

/** The roles of the product, then the company's own. */
export function RoleList() {
  const { data, error, refetch } = useQuery({ ...query(roles.list, {}), staleTime: 0 })
  const canDefine = useCan()(roles.create)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      <RoleGroup id="roles-voisol" title="Rôles de Voisol" items={data.items.filter(({ builtIn }) => builtIn)} />
      <RoleGroup
        id="roles-propres"
        title="Rôles de votre organisation"
        items={data.items.filter(({ builtIn }) => !builtIn)}
        none={`Aucun pour l’instant.${canDefine ? ' Définissez le vôtre quand aucun de ceux de Voisol ne convient.' : ''}`}
      />
    </div>
  )
}

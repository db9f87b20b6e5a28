import { useQuery } from '@tanstack/react-query'
import { BUILT_IN_ROLES, ROLES, type RoleRef, roles } from '@voisol/contract/roles'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { exceedsOwnPermissions } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'

const BUILT_IN_ROLE_LIST = BUILT_IN_ROLES.map((id) => {
  const { label: name, purpose, permissions } = ROLES[id]
  return { id: id as RoleRef, name, purpose, builtIn: true, permissions } // a name is a reference too
})

/** Those of the product at once, the company's own when they have come and for those who may see them. */
export function useRoles() {
  const enabled = useCan()(roles.list)
  const { data } = useQuery({ ...query(roles.list, {}), enabled })
  return { known: data !== undefined, items: data?.items ?? BUILT_IN_ROLE_LIST }
}

/** Whether a role goes beyond what one holds: neither to be given, nor its people to be changed. */
export function useExceedsOwnRights() {
  const { items } = useRoles()
  const { permissions } = useUser()
  return (id: RoleRef, limited: boolean) =>
    exceedsOwnPermissions(items.find((role) => role.id === id)?.permissions ?? [], permissions, limited)
}

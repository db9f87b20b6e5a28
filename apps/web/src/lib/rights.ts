import { PERMISSIONS, type Permission } from '@voisol/contract/permissions'

type Row = { whole?: true; site?: true }
const rowOf = (right: Permission): Row => PERMISSIONS[right]

/** Nobody gives what they do not hold: whether a set goes beyond one's own, as far as it would be given at all. */
export const exceeds = (rights: readonly Permission[], own: readonly Permission[], limited = false) =>
  rights.some((right) => !own.includes(right) && !rowOf(right).site && !(limited && rowOf(right).whole))

const featureOf = (right: Permission) => right.split('.')[0]
const isRead = (right: Permission) => right.endsWith('.read')

/** Whoever may change something may see it; what is no longer seen is no longer changed. */
export function ticked(rights: readonly Permission[], right: Permission, on: boolean): Permission[] {
  const same = (one: Permission) => featureOf(one) === featureOf(right)
  if (!on) return rights.filter((one) => one !== right && !(isRead(right) && same(one)))
  const read = Object.keys(PERMISSIONS).find((one) => isRead(one as Permission) && same(one as Permission)) // keys of the list
  return [...new Set([...rights, ...(read ? [read as Permission] : []), right])]
}

const isSite = (right: Permission) => rowOf(right).site === true

/** A set as its reader should see it: what keeps the site exists in one company alone. */
export const shownTo = (rights: readonly Permission[], own: readonly Permission[]) =>
  own.some(isSite) ? [...rights] : rights.filter((right) => !isSite(right))

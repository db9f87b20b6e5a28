import type { CurrentUser } from '@voisol/contract/auth'
import { PERMISSIONS, type Permission } from '@voisol/contract/permissions'

type PermissionTraits = { whole?: true; site?: true }

/** Why somebody lacks a right, up to its name, and whom to ask for it. */
export function explainMissingPermission(missing: Permission, { roleName, operationIds }: CurrentUser) {
  const { whole, site }: PermissionTraits = PERMISSIONS[missing]
  if (site)
    return {
      why: 'Cet écran demande le droit',
      whom: 'Ce droit n’existe que dans l’organisation qui tient le site public.',
    }
  if (whole && operationIds)
    return {
      why: 'Votre accès est limité à certaines opérations. Cet écran concerne toute l’organisation\u00a0: il demande le droit',
      whom: 'Un administrateur de votre organisation peut lever cette limite.',
    }
  return {
    why: `Votre rôle, «\u00a0${roleName}\u00a0», ne comprend pas le droit`,
    whom: 'Demandez-le à un administrateur de votre organisation.',
  }
}

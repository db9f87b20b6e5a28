import { narrowPermissions, type Permission } from '@voisol/contract/permissions'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/** Nobody can grant, revoke or change permissions that they do not have. */
export function requireGrantablePermissions(actor: Actor, rights: readonly Permission[], limited = false) {
  const effective = narrowPermissions(rights, { limited, site: actor.keepsSite })
  if (effective.some((permission) => !actor.permissions.includes(permission)))
    throw new AppError('forbidden', {
      message: 'Ces droits dépassent les vôtres\u00a0: un administrateur peut le faire.',
    })
}

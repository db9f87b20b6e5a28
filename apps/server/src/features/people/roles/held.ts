import { narrowed, type Permission } from '@voisol/contract/permissions'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/** Nobody gives, takes or changes rights that they do not hold. */
export function requireHeld(actor: Actor, rights: readonly Permission[], limited = false) {
  const meant = narrowed(rights, { limited, site: actor.keepsSite })
  if (meant.some((permission) => !actor.permissions.includes(permission)))
    throw new AppError('forbidden', {
      message: 'Ces droits dépassent les vôtres\u00a0: un administrateur peut le faire.',
    })
}

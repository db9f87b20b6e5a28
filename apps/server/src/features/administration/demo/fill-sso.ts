import { scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { seedSso } from '../../people/sso/sso.ts'

/** Creates a tested identity provider, with two refused sign-ins in its log. */
export const fillSso = (deps: Deps, { companyId }: Actor): Promise<void> =>
  transaction(scopeToCompany(deps.db, companyId), (tx) => seedSso(tx, deps, companyId))

import { scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { seedSso } from '../../people/sso/sso.ts'

/** A provider that is set and tried, with two refusals to read. */
export const fillSso = (deps: Deps, { companyId }: Actor): Promise<void> =>
  transaction(scopeToCompany(deps.db, companyId), (tx) => seedSso(tx, deps, companyId))

import { eq, type SQL } from 'drizzle-orm'
import { contractEvents, distributorFiles } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** For administrators only, because a file contains the points of all members. */
export const distributorFileScope = ({ companyId }: Actor): SQL => eq(distributorFiles.companyId, companyId)
export const contractEventScope = ({ companyId }: Actor): SQL => eq(contractEvents.companyId, companyId)

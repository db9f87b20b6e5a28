import { eq, type SQL } from 'drizzle-orm'
import { contractEvents, distributorFiles } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Administrators only: files name points of everyone. */
export const distributorFileScope = ({ companyId }: Actor): SQL => eq(distributorFiles.companyId, companyId)
export const contractEventScope = ({ companyId }: Actor): SQL => eq(contractEvents.companyId, companyId)

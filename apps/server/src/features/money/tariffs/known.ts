import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, participants, sellers } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'

const REFERENCED_TABLES = { sellerId: sellers, groupId: buyerGroups, participantId: participants }
const UNKNOWN_REFERENCE_MESSAGES = {
  sellerId: 'Ce vendeur n’existe pas dans votre organisation\u00a0: choisissez-en un de la liste.',
  groupId: 'Ce groupe n’existe pas dans votre organisation\u00a0: choisissez-en un de la liste.',
  participantId: 'Cet acheteur n’existe pas dans votre organisation\u00a0: choisissez-en un de la liste.',
}
type ReferenceField = keyof typeof REFERENCED_TABLES
type NamedReferences = Partial<Record<ReferenceField, string | null>>

/** Whatever fees and discounts refer to must belong to the company. */
export async function requireKnownReferences(db: Db, companyId: number, references: NamedReferences): Promise<void> {
  const issues: { path: string; message: string }[] = []
  for (const field of ['sellerId', 'groupId', 'participantId'] as const) {
    const id = references[field]
    if (!id) continue
    const table = REFERENCED_TABLES[field]
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.companyId, companyId), eq(table.id, id)))
    if (!rows.length) issues.push({ path: field, message: UNKNOWN_REFERENCE_MESSAGES[field] })
  }
  if (issues.length) throw new AppError('invalid', { message: issues[0]?.message ?? '', issues })
}

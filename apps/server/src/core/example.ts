import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { companies } from '../db/schema/index.ts'
import { AppError } from '../http/errors.ts'

/** Whether a company is an example of another: its people are invented, and nothing may be sent from it. */
export async function isExampleCompany(db: Db, companyId: number): Promise<boolean> {
  const [row] = await db.select({ of: companies.exampleOf }).from(companies).where(eq(companies.id, companyId))
  return row?.of != null
}

/** Refuses calls to the outside world from an example company. */
export async function requireNotExampleCompany(db: Db, companyId: number): Promise<void> {
  if (await isExampleCompany(db, companyId))
    throw new AppError('conflict', {
      message: 'Ceci est une organisation d’exemple\u00a0: elle n’échange rien avec l’extérieur.',
    })
}

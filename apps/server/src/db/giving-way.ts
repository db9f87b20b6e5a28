import { sql } from 'drizzle-orm'
import { causesOf, codeOf } from './causes.ts'
import type { Db } from './client.ts'

const DEADLOCK = '40P01'
const TRIES = 6

export const isDeadlock = (error: unknown) => causesOf(error).some((one) => codeOf(one) === DEADLOCK)

/** Of two that wait for one another, the one that is told so lets go of all it took here, and begins anew. */
export async function givingWay<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    await tx.execute(sql`savepoint giving_way`)
    try {
      const result = await work()
      await tx.execute(sql`release savepoint giving_way`)
      return result
    } catch (error) {
      if (!isDeadlock(error) || tries === TRIES) throw error
      await tx.execute(sql`rollback to savepoint giving_way`)
    }
  }
}

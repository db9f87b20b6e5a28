import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../http/actor.ts'

/** Whether the column names an operation that the actor may see; nothing to ask of those who have no limit. */
export const withinLimit = ({ operationIds }: Actor, column: AnyColumn | SQL): SQL | undefined =>
  operationIds ? sql`${column} = any(${sql.param([...operationIds])}::uuid[])` : undefined

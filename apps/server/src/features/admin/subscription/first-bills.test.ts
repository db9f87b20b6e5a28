import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useSubscriptionHelpers } from '../../../../test/factories-portal.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices, sellers } from '../../../db/schema/index.ts'
import { verifyInvoiceSequences } from '../../billing/invoices/index.ts'

const server = useServer({ SUBSCRIPTIONS: 'on' })
const { keeper, onTrial, choose, documents, starter } = useSubscriptionHelpers(server)
const COMPANIES = 10

test('ten companies first billed at once get one seller and unique numbers without gaps', async () => {
  const users = await Promise.all(Array.from({ length: COMPANIES }, () => onTrial()))
  const answers = await Promise.all(users.map((user) => choose(user, starter)))
  expect(answers.map(({ status }) => status)).toEqual(Array(COMPANIES).fill(200))
  const made = await server.db.select().from(sellers).where(eq(sellers.companyId, keeper.id))
  expect(made.map(({ prefix }) => prefix)).toEqual(['ABO'])
  const issued = await server.db.select().from(invoices).where(eq(invoices.companyId, keeper.id))
  const positions = issued.map(({ position }) => position).toSorted((a, b) => a - b)
  expect(positions).toEqual(Array.from({ length: COMPANIES }, (_, at) => at + 1))
  expect(new Set(issued.map(({ buyerId }) => buyerId)).size).toBe(COMPANIES)
  expect((await verifyInvoiceSequences(server.db, server.deps.secrets)).map(({ broken }) => broken)).toEqual([
    undefined,
  ])
  const own = await Promise.all(users.map(documents))
  expect(new Set(own.flatMap((list) => list.map(({ id }: { id: string }) => id))).size).toBe(COMPANIES)
})
